import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useFileDrop } from '../../lib/upload/use-file-drop.ts'
import { FilePick } from './components/file-pick.tsx'
import { ManifestFacts, ModuleFacts } from './components/picked-facts.tsx'
import { SubmissionProgress } from './components/submission-progress.tsx'
import { SubmissionRefusal } from './components/submission-refusal.tsx'
import type { SubmittedState } from './submitted.ts'
import { texts } from './own.texts.ts'
import classes from './submit-page.module.css'
import page from './page.module.css'
import { usePickedFiles } from './use-picked-files.ts'
import type { PickedFiles } from './use-picked-files.ts'
import { useSubmission } from './use-submission.ts'
import type { Submission } from './use-submission.ts'

/** Submits a release by hand: pick or drop a manifest and a module, check them, and send them for review. */
export function SubmitPage() {
  const [, navigate] = useLocation()
  const submission = useSubmission(({ id, name, version }) => {
    showToast({ kind: 'done', subject: `${name} ${version}`, text: texts.submission.submitted })
    const state: SubmittedState = { submitted: id }
    navigate('/own', { state })
  })
  const files = usePickedFiles(submission.clear)
  const isSending = submission.progress !== null
  const { isOver, ...drop } = useFileDrop((dropped) => {
    if (!isSending) files.drop(dropped)
  })
  return (
    <Region
      name="sheet"
      className={`${page['page']} ${classes['submit']}`}
      data-over={(isOver && !isSending) || undefined}
      {...drop}
    >
      <div className={classes['body']}>
        <PageHead title={texts.submit} area={texts.title}>
          <Link href="/own">{texts.title}</Link>
        </PageHead>
        <p className={classes['text']}>{texts.submission.hint}</p>
        {files.complaint !== null && (
          <Notice tone="warn" icon={IconAlertTriangle} role="alert" title={files.complaint} />
        )}
        <Picks files={files} disabled={isSending} />
        {submission.refusal !== null && <SubmissionRefusal refusal={submission.refusal} />}
        <SubmitActions files={files} submission={submission} />
      </div>
    </Region>
  )
}

function Picks({ files, disabled }: { files: PickedFiles; disabled: boolean }) {
  const { manifest, module, reading } = files
  return (
    <div className={classes['files']}>
      <FilePick
        title={texts.submission.manifest}
        button={texts.submission.chooseManifest}
        accept=".json,application/json"
        disabled={disabled}
        picked={manifest?.fileName ?? null}
        reading={reading.manifest}
        placeholder={texts.submission.noManifest}
        onFile={files.pickManifest}
      >
        {manifest !== null && <ManifestFacts picked={manifest} />}
      </FilePick>
      <FilePick
        title={texts.submission.module}
        button={texts.submission.chooseModule}
        accept=".wasm,application/wasm"
        disabled={disabled}
        picked={module?.fileName ?? null}
        reading={reading.module}
        placeholder={texts.submission.noModule}
        onFile={files.pickModule}
      >
        {module !== null && <ModuleFacts picked={module} />}
      </FilePick>
    </div>
  )
}

function SubmitActions({ files, submission }: { files: PickedFiles; submission: Submission }) {
  const button = useRef<HTMLButtonElement>(null)
  const { progress, wasCanceled } = submission
  const text = files.manifest?.text ?? null
  const bytes = files.module?.bytes ?? null
  const isReady = text !== null && bytes !== null && progress === null
  const submit = (): void => {
    if (text !== null && bytes !== null && progress === null) submission.submit(text, bytes)
  }
  useActions([
    {
      id: 'submit-release',
      label: texts.submission.submitCommand,
      group: 'Look',
      keys: ['mod+Enter'],
      inFields: true,
      keysOnly: true,
      run: submit,
    },
  ])
  return (
    <div className={classes['actions']} data-actions>
      <Button ref={button} variant="filled" aria-disabled={!isReady} onClick={submit}>
        {texts.submission.submit}
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
            {texts.submission.cancel}
          </Button>
          <SubmissionProgress progress={progress} />
        </>
      )}
      <p role="status">{progress === null ? hintOf(files, wasCanceled) : ''}</p>
    </div>
  )
}

const { next } = texts.submission

/** What to do before the release can be submitted. */
function hintOf({ manifest, module, reading }: PickedFiles, wasCanceled: boolean): string {
  if (wasCanceled) return next.canceled
  if (reading.manifest !== null || reading.module !== null) return next.reading
  if (manifest === null && module === null) return next.both
  if (manifest === null) return next.manifest
  if (manifest.text === null) return next.fixManifest
  if (module === null) return next.module
  return module.bytes === null ? next.otherModule : ''
}
