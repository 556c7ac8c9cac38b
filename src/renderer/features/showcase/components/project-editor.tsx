import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { ChangedMeanwhile } from '../../../components/decision/changed-meanwhile.tsx'
import { DockFrame, DockLine } from '../../../components/decision/dock-frame.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { Section } from '../../../components/section.tsx'
import { Sheet } from '../../../components/list/sheet-pane.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { plural } from '../../../lib/format.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { changeDraft, draftProblems, setDraft, useProjectDraft } from '../project-draft.ts'
import { useSaveProject } from '../showcase.api.ts'
import { LinkFields } from './link-fields.tsx'
import { PictureFields } from './picture-fields.tsx'
import classes from './project-editor.module.css'
import { TextFields } from './text-fields.tsx'

/** The project as fields, over a dock that saves them. */
export function ProjectEditor({ project, list }: { project: DeskProject; list: ReactNode }) {
  const draft = useProjectDraft(project.id)
  const save = useSaveProject(project.id)
  const [asked, setAsked] = useState(false)
  const sheet = useRef<HTMLDivElement>(null)
  const content = draft?.content ?? project.content
  const problems = draftProblems(content)
  const changed = JSON.stringify(content) !== JSON.stringify(project.content)
  const meanwhile = draft !== null && draft.revision !== project.revision && !save.isPending

  useEffect(() => sheet.current?.querySelector<HTMLElement>('input')?.focus(), [])
  // What is refused stands in the first field that is wrong.
  const [refused, setRefused] = useState(0)
  useEffect(() => {
    if (refused > 0) sheet.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refused])

  const leave = (): void => setDraft(project.id, null)
  const confirm = (): void => {
    setAsked(true)
    if (problems.size > 0) setRefused(refused + 1)
    if (problems.size > 0 || save.isPending || draft === null || meanwhile) return
    save.mutate(
      { revision: draft.revision, content },
      {
        onSuccess() {
          leave()
          showToast({ kind: 'done', subject: content.title, text: savedSentence(project) })
        },
      },
    )
  }
  useActions([
    {
      id: 'confirm',
      label: 'save the project',
      group: 'Decide',
      keys: ['mod+Enter'],
      inFields: true,
      run: confirm,
    },
    {
      id: 'close',
      label: 'take the changes back',
      group: 'Decide',
      keys: ['Escape'],
      inFields: true,
      // With changes it takes the button: one key pressed by habit must not lose them.
      run: () => (changed ? document.querySelector<HTMLElement>('[data-take-back]')?.focus() : leave()),
    },
  ])
  const change = (part: Partial<ProjectContent>): void => changeDraft(project.id, () => part)
  return (
    <>
      <Sheet ref={sheet} label={`Edit ${project.content.title}`}>
        <header className={classes['head']}>
          {list}
          <h1>Edit {project.content.title}</h1>
        </header>
        <div className={classes['body']}>
          {meanwhile && (
            <ChangedMeanwhile
              title="Somebody saved this project meanwhile"
              onTheirs={() => setDraft(project.id, { revision: project.revision, content: project.content })}
              onMine={() => setDraft(project.id, { revision: project.revision, content })}
            >
              Saving yours replaces all of theirs.
            </ChangedMeanwhile>
          )}
          {save.error !== null && !meanwhile && (
            <Failure error={save.error} what="The project was not saved" />
          )}
          <Section title="Text">
            <TextFields
              id={project.id}
              content={content}
              saved={project.content}
              problems={problems}
              asked={asked}
              onChange={change}
            />
          </Section>
          <Section title="Links">
            <LinkFields
              links={content.links}
              problems={problems}
              asked={asked}
              onLinks={(links) => change({ links })}
            />
          </Section>
          <Section title="Pictures">
            <PictureFields id={project.id} pictures={content.pictures} problems={problems} asked={asked} />
          </Section>
        </div>
      </Sheet>
      <DockFrame open={false} label="Save">
        <DockLine
          trouble={asked && problems.size > 0}
          effect={
            <p role="status">
              {asked && problems.size > 0
                ? `${plural(problems.size, 'field')} to mend first.`
                : effectOf(project, changed)}
            </p>
          }
        >
          <Button data-take-back onClick={leave} rightSection={<Keycap keys="Escape" quiet />}>
            {changed ? 'Take back' : 'Close'}
          </Button>
          <Button
            variant="filled"
            loading={save.isPending}
            aria-disabled={meanwhile}
            onClick={confirm}
            rightSection={<Keycap keys="mod+Enter" quiet />}
          >
            Save
          </Button>
        </DockLine>
      </DockFrame>
    </>
  )
}

function effectOf({ status }: DeskProject, changed: boolean): string {
  if (!changed) return 'Nothing has been changed.'
  return status === 'approved'
    ? 'Not saved yet. Saving changes the public page at once.'
    : 'Not saved yet. Saving makes nothing public.'
}

function savedSentence({ status }: DeskProject): string {
  return status === 'approved' ? 'is saved. The public page shows it now.' : 'is saved.'
}
