import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Region } from '../../../components/feedback/region.tsx'
import { reviewActions } from '../../../../shared/contracts/decisions.ts'
import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { EditConflict } from '../../../components/decision/edit-conflict.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { DockFrame, DockLine } from '../../../components/decision/dock-frame.tsx'
import { cancelKeys, confirmKeys, useActions } from '../../../lib/keys/actions.ts'
import { createOwnStore } from '../../../lib/state/own-store.ts'
import { useStore } from '../../../lib/state/store.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { TemplateGroup } from './template-group.tsx'
import { decisionToResume } from './reason-draft.ts'
import { fromDraft, templateProblem, toDraft } from './templates.ts'
import type { DraftTemplate } from './templates.ts'
import { templatesQuery, useSaveTemplates } from '../review.api.ts'
import { texts } from '../review.texts.ts'
import classes from './templates-page.module.css'

const { hint } = texts.templates

/** The list being edited and the saved list it is based on. Survives navigation to another page. */
const editing = createOwnStore<{ base: string; draft: DraftTemplate[] } | null>(null)

/** Ends the editing of templates that were saved. What was written while they were being saved stays unsaved. */
function forgetSaved(saved: readonly CannedReason[], sent: readonly CannedReason[]): void {
  const edited = editing.get()
  if (edited === null) return
  const isSaved = JSON.stringify(fromDraft(edited.draft, reviewActions)) === JSON.stringify(sent)
  editing.set(isSaved ? null : { ...edited, base: JSON.stringify(saved) })
}

/** Edits the templates for reasons: add, change, reorder, remove, then save the whole list. */
export function TemplatesPage({ action }: { action: string | undefined }) {
  useTitle(texts.templates.pageTitle)
  const templates = useQuery(templatesQuery)
  const { data } = templates
  const edited = useStore(editing)
  const save = useSaveTemplates((items, sent) => {
    forgetSaved(items, sent)
    showToast({ kind: 'done', text: texts.templates.saved })
  })
  const [showProblems, setShowProblems] = useState(false)
  const fromDock = decisionToResume.get() !== null
  const saved = JSON.stringify(data?.items ?? [])
  const draft = edited?.draft ?? toDraft(data?.items ?? [])
  const set = (next: DraftTemplate[]): void => editing.set({ base: edited?.base ?? saved, draft: next })

  const leave = (): void => {
    if (fromDock) history.back()
  }
  const cancel = (): void => {
    editing.set(null)
    setShowProblems(false)
    leave()
  }
  const confirm = (): void => {
    if (edited === null) return
    setShowProblems(true)
    if (save.isPending || draft.some((template) => templateProblem(template) !== null)) return
    save.mutate(fromDraft(draft, reviewActions), { onSuccess: leave })
  }
  useActions([
    { ...confirmKeys, id: 'save-templates', label: texts.templates.saveCommand, run: confirm },
    {
      ...cancelKeys,
      id: 'cancel-templates',
      label: fromDock ? texts.templates.backCommand : texts.templates.discardCommand,
      run: cancel,
    },
  ])
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded) document.querySelector<HTMLElement>(`[data-templates="${action ?? ''}"] input`)?.focus()
  }, [action, isLoaded])

  return (
    <Region name="sheet" className={classes['page']}>
      <div className={classes['body']}>
        <h1>{texts.templates.title}</h1>
        <p className={classes['lead']} data-ink="calm">
          {hint[0]} <Keycap keys="1" /> {hint[1]} <Keycap keys="9" /> {hint[2]}
        </p>
        <Loading
          query={templates}
          rows={9}
          height={44}
          what={texts.templates.what}
          failed={texts.templates.loadFailed}
        />
        {edited !== null && edited.base !== saved && (
          <EditConflict
            title={texts.templates.changedTitle}
            onTheirs={() => editing.set(null)}
            onMine={() => editing.set({ ...edited, base: saved })}
          >
            {texts.templates.changedText}
          </EditConflict>
        )}
        {data !== undefined &&
          reviewActions.map((one: ReviewAction) => (
            <TemplateGroup key={one} action={one} draft={draft} showProblems={showProblems} onDraft={set} />
          ))}
        {save.error !== null && <Failure error={save.error} what={texts.templates.saveFailed} />}
      </div>
      <DockFrame open={false} label={texts.templates.save}>
        <DockLine effect={<p>{edited === null ? texts.templates.noChanges : texts.templates.unsaved}</p>}>
          <ActionButton disabled={edited === null && !fromDock} onClick={cancel} keys="Escape">
            {fromDock ? texts.templates.back : texts.templates.discard}
          </ActionButton>
          <ActionButton
            variant="filled"
            disabled={edited === null}
            loading={save.isPending}
            onClick={confirm}
            keys="mod+Enter"
          >
            {texts.templates.save}
          </ActionButton>
        </DockLine>
      </DockFrame>
    </Region>
  )
}
