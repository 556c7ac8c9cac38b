import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useFileDrop } from '../../lib/upload/use-file-drop.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { FilePick } from './components/file-pick.tsx'
import { ManifestFacts, ModuleFacts } from './components/picked-facts.tsx'
import { SubmissionProgress } from './components/submission-progress.tsx'
import { SubmissionRefusal } from './components/submission-refusal.tsx'
import type { SubmittedState } from './submitted.ts'
import classes from './submit-page.module.css'
import { usePickedFiles } from './use-picked-files.ts'
import type { PickedFiles } from './use-picked-files.ts'
import { useSubmission } from './use-submission.ts'
import type { Submission } from './use-submission.ts'

/** A release by hand: a manifest and a module are picked or dropped, looked at, and sent for review. */
export function SubmitPage() {
  useTitle('Submit a release', 'My releases')
  const [, navigate] = useLocation()
  const submission = useSubmission(({ id, name, version }) => {
    showToast({ kind: 'done', subject: `${name} ${version}`, text: 'is submitted and waits for its review.' })
    const state: SubmittedState = { submitted: id }
    navigate('/own', { state })
  })
  const files = usePickedFiles(submission.forget)
  const isSending = submission.progress !== null
  const { isOver, ...drop } = useFileDrop((dropped) => {
    if (!isSending) files.drop(dropped)
  })
  return (
    <Region
      name="sheet"
      className={classes['page']}
      data-over={(isOver && !isSending) || undefined}
      {...drop}
    >
      <div className={classes['body']}>
        <header className={classes['head']}>
          <h1>Submit a release</h1>
          <Link href="/own">My releases</Link>
        </header>
        <p className={classes['text']}>
          Choose the manifest and the module, or drop both files here at once. A person reviews each release
          before anybody can use it.
        </p>
        {files.complaint !== null && (
          <Notice tone="warn" icon={IconAlertTriangle} role="alert" title={files.complaint} />
        )}
        <Picks files={files} off={isSending} />
        {submission.refusal !== null && <SubmissionRefusal refusal={submission.refusal} />}
        <SubmitActions files={files} submission={submission} />
      </div>
    </Region>
  )
}

function Picks({ files, off }: { files: PickedFiles; off: boolean }) {
  const { manifest, module, reading } = files
  return (
    <div className={classes['files']}>
      <FilePick
        title="Manifest"
        button="Choose manifest.json"
        accept=".json,application/json"
        off={off}
        picked={manifest?.fileName ?? null}
        reading={reading.manifest}
        nothing="No manifest is chosen yet."
        onFile={files.pickManifest}
      >
        {manifest !== null && <ManifestFacts picked={manifest} />}
      </FilePick>
      <FilePick
        title="Module"
        button="Choose the .wasm module"
        accept=".wasm,application/wasm"
        off={off}
        picked={module?.fileName ?? null}
        reading={reading.module}
        nothing="No module is chosen yet."
        onFile={files.pickModule}
      >
        {module !== null && <ModuleFacts picked={module} />}
      </FilePick>
    </div>
  )
}

function SubmitActions({ files, submission }: { files: PickedFiles; submission: Submission }) {
  const button = useRef<HTMLButtonElement>(null)
  const { progress, wasCancelled } = submission
  const text = files.manifest?.text ?? null
  const bytes = files.module?.bytes ?? null
  const isReady = text !== null && bytes !== null && progress === null
  const submit = (): void => {
    if (text !== null && bytes !== null && progress === null) submission.submit(text, bytes)
  }
  useActions([
    {
      id: 'submit-release',
      label: 'submit the release',
      group: 'Look',
      keys: ['mod+Enter'],
      inFields: true,
      keysOnly: true,
      run: submit,
    },
  ])
  return (
    <div className={classes['actions']}>
      <Button ref={button} variant="filled" aria-disabled={!isReady} onClick={submit}>
        Submit for review
      </Button>
      {progress !== null && (
        <>
          <Button
            aria-disabled={progress.sent >= progress.total}
            onClick={() => {
              if (progress.sent >= progress.total) return
              submission.cancel()
              button.current?.focus()
            }}
          >
            Cancel
          </Button>
          <SubmissionProgress progress={progress} />
        </>
      )}
      <p role="status">{progress === null ? hintOf(files, wasCancelled) : ''}</p>
    </div>
  )
}

/** What is still to be done before it can be submitted. */
function hintOf({ manifest, module, reading }: PickedFiles, wasCancelled: boolean): string {
  if (wasCancelled) return 'It is cancelled. What you picked is still here.'
  if (reading.manifest !== null || reading.module !== null) return 'The files are being read.'
  if (manifest === null && module === null) return 'Both files are needed.'
  if (manifest === null) return 'The manifest is still needed.'
  if (manifest.text === null) return 'The manifest has to be mended first.'
  if (module === null) return 'The module is still needed.'
  return module.bytes === null ? 'Another module is needed.' : ''
}
