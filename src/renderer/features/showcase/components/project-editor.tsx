import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { projectLimits as limits } from '../../../../shared/contracts/content.ts'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { EditConflict } from '../../../components/decision/edit-conflict.tsx'
import { DockFrame, DockLine } from '../../../components/decision/dock-frame.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Section } from '../../../components/section.tsx'
import { Sheet } from '../../../components/list/sheet-pane.tsx'
import { confirmKeys, useActions } from '../../../lib/keys/actions.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useUploadList } from '../../../lib/upload/use-upload-list.ts'
import { changeDraft, draftProblems, forgetSaved, setDraft, useProjectDraft } from '../project-draft.ts'
import { useSaveProject } from '../showcase.api.ts'
import { LinkFields } from './link-fields.tsx'
import { ImageFields } from './image-fields.tsx'
import { texts } from '../showcase.texts.ts'
import classes from './project-editor.module.css'
import { TextFields } from './text-fields.tsx'

const { editor: labels } = texts

/** The form that edits a project, and the dock that saves it. */
export function ProjectEditor({ project, list }: { project: DeskProject; list: ReactNode }) {
  const draft = useProjectDraft(project.id)
  const save = useSaveProject(project.id, (saved, sent) => {
    forgetSaved(saved, sent)
    showToast({ kind: 'done', subject: sent.title, text: savedSentence(saved) })
  })
  const [attempted, setAttempted] = useState(false)
  const sheet = useRef<HTMLDivElement>(null)
  const content = draft?.content ?? project.content
  const problems = draftProblems(content)
  const changed = JSON.stringify(content) !== JSON.stringify(project.content)
  const uploads = useUploadList(({ sha256 }) => {
    changeDraft(project.id, ({ pictures: now }) => ({
      pictures: now.length < limits.images ? [...now, { sha256, alt: '' }] : now,
    }))
  })
  // Saving ends the editing, and with it the uploads.
  const isUploading = uploads.list.some(({ failure }) => failure === null)
  const conflicts = draft !== null && draft.revision !== project.revision && !save.isPending

  useEffect(() => sheet.current?.querySelector<HTMLElement>('input')?.focus(), [])
  // Counts the failed attempts to save; each one focuses the first invalid field.
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) sheet.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  const leave = (): void => setDraft(project.id, null)
  const confirm = (): void => {
    if (!changed) return
    setAttempted(true)
    if (problems.size > 0) setRefusals(refusals + 1)
    if (problems.size > 0 || isUploading || save.isPending || draft === null || conflicts) return
    save.mutate({ revision: draft.revision, content })
  }
  useActions([
    { ...confirmKeys, id: 'confirm', label: labels.actions.save, run: confirm },
    {
      id: 'close',
      label: labels.actions.discard,
      group: 'Decide',
      keys: ['Escape'],
      inFields: true,
      // With unsaved changes it only focuses the button: one keystroke must not lose them.
      run: () => (changed ? document.querySelector<HTMLElement>('[data-discard]')?.focus() : leave()),
    },
  ])
  const change = (part: Partial<ProjectContent>): void => changeDraft(project.id, () => part)
  return (
    <>
      <Sheet ref={sheet} label={labels.label(project.content.title)}>
        <header className={classes['head']}>
          {list}
          <h1>{labels.label(project.content.title)}</h1>
        </header>
        <div className={classes['body']}>
          {conflicts && (
            <EditConflict
              title={labels.conflict}
              onTheirs={() => setDraft(project.id, { revision: project.revision, content: project.content })}
              onMine={() => setDraft(project.id, { revision: project.revision, content })}
            >
              {labels.conflictText}
            </EditConflict>
          )}
          {save.error !== null && !conflicts && <Failure error={save.error} what={labels.saveFailed} />}
          <Section title={labels.text}>
            <TextFields
              id={project.id}
              content={content}
              saved={project.content}
              problems={problems}
              attempted={attempted}
              onChange={change}
            />
          </Section>
          <Section title={labels.links}>
            <LinkFields
              links={content.links}
              problems={problems}
              attempted={attempted}
              onLinks={(links) => change({ links })}
            />
          </Section>
          <Section title={labels.images}>
            <ImageFields
              id={project.id}
              pictures={content.pictures}
              uploads={uploads}
              problems={problems}
              attempted={attempted}
            />
          </Section>
        </div>
      </Sheet>
      <DockFrame open={false} label={labels.dock}>
        <DockLine
          blocked={attempted && problems.size > 0}
          effect={
            <p role="status">
              {attempted && problems.size > 0
                ? labels.problems(problems.size)
                : isUploading
                  ? labels.uploading
                  : effectOf(project, changed)}
            </p>
          }
        >
          <ActionButton data-discard onClick={leave} keys="Escape">
            {changed ? labels.discard : labels.close}
          </ActionButton>
          <ActionButton
            variant="filled"
            disabled={!changed}
            loading={save.isPending}
            aria-disabled={conflicts || isUploading}
            onClick={confirm}
            keys="mod+Enter"
          >
            {labels.save}
          </ActionButton>
        </DockLine>
      </DockFrame>
    </>
  )
}

function effectOf({ status }: DeskProject, changed: boolean): string {
  if (!changed) return labels.noChanges
  return status === 'approved' ? labels.unsavedPublic : labels.unsaved
}

function savedSentence({ status }: DeskProject): string {
  return status === 'approved' ? labels.savedPublic : labels.saved
}
