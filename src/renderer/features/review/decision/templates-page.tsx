import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Region } from '../../../components/feedback/region.tsx'
import { reviewActions } from '../../../../shared/contracts/releases.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { ChangedMeanwhile } from '../../../components/decision/changed-meanwhile.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { TemplateGroup } from './template-group.tsx'
import { rememberedDock } from './open-dock.ts'
import { fromDraft, reasonProblem, toDraft } from './templates.ts'
import type { DraftTemplate } from './templates.ts'
import { templatesQuery, useSaveTemplates } from '../review.api.ts'
import classes from './templates-page.module.css'

/** What is being written, with the list that it began with; it outlives a look at another page. */
const editing = createStore<{ base: string; draft: DraftTemplate[] } | null>(null)

/** The list of canned reasons: added, changed, put in order, removed; then saved as a whole. */
export function TemplatesPage({ action }: { action: string | undefined }) {
  useTitle('Reasons')
  const { data, error, refetch } = useQuery(templatesQuery)
  const edited = useStore(editing)
  const save = useSaveTemplates()
  const [asked, setAsked] = useState(false)
  const came = rememberedDock() !== null
  const saved = JSON.stringify(data?.items ?? [])
  const draft = edited?.draft ?? toDraft(data?.items ?? [])
  const set = (next: DraftTemplate[]): void => editing.set({ base: edited?.base ?? saved, draft: next })

  const leave = (): void => {
    if (came) history.back()
  }
  const cancel = (): void => {
    editing.set(null)
    setAsked(false)
    leave()
  }
  const confirm = (): void => {
    setAsked(true)
    if (save.isPending || draft.some((reason) => reasonProblem(reason) !== null)) return
    save.mutate(fromDraft(draft, reviewActions), {
      onSuccess() {
        editing.set(null)
        showToast({ kind: 'done', text: 'The reasons are saved. Every desk offers them now.' })
        leave()
      },
    })
  }
  useActions([
    {
      id: 'save-reasons',
      label: 'save the reasons',
      group: 'Decide',
      keys: ['mod+Enter'],
      inFields: true,
      run: confirm,
    },
    {
      id: 'cancel-reasons',
      label: came ? 'back to the decision, save nothing' : 'take the changes back',
      group: 'Decide',
      keys: ['Escape'],
      inFields: true,
      run: cancel,
    },
  ])
  const known = data !== undefined
  useEffect(() => {
    if (known) document.querySelector<HTMLElement>(`[data-reasons="${action ?? ''}"] input`)?.focus()
  }, [action, known])

  return (
    <Region name="sheet" className={classes['page']}>
      <div className={classes['body']}>
        <h1>Reasons to start notes from</h1>
        <p className={classes['lead']}>
          The dock offers them to everybody who decides. The digits <Keycap keys="1" /> to <Keycap keys="9" />{' '}
          tick the first nine of a list.
        </p>
        {error !== null && (
          <Failure error={error} what="The reasons cannot be read" retry={() => void refetch()} />
        )}
        {data === undefined && error === null && <Bones rows={9} height={44} what="the reasons" />}
        {edited !== null && edited.base !== saved && (
          <ChangedMeanwhile
            title="Somebody saved another list meanwhile"
            onTheirs={() => editing.set(null)}
            onMine={() => editing.set({ ...edited, base: saved })}
          >
            Saving replaces the whole list, theirs too.
          </ChangedMeanwhile>
        )}
        {data !== undefined &&
          reviewActions.map((one: ReviewAction) => (
            <TemplateGroup key={one} action={one} draft={draft} asked={asked} onDraft={set} />
          ))}
        {save.error !== null && <Failure error={save.error} what="The reasons were not saved" />}
      </div>
      <Region name="dock" as="footer" className={classes['foot']}>
        <ToastArea />
        <p>{edited === null ? 'Nothing has been changed.' : 'Not saved yet.'}</p>
        <Button onClick={cancel} rightSection={<Keycap keys="Escape" quiet />}>
          {came ? 'Back, save nothing' : 'Take back'}
        </Button>
        <Button
          variant="filled"
          loading={save.isPending}
          onClick={confirm}
          rightSection={<Keycap keys="mod+Enter" quiet />}
        >
          Save
        </Button>
      </Region>
    </Region>
  )
}
