import { useQuery } from '@tanstack/react-query'
import { settingOfPath } from '../../../shared/settings.ts'
import type { DeskSetting, SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import type { SettingKey } from '../../../shared/settings.ts'
import { ApiError } from '../../lib/server/api-error.ts'
import { createOwnStore } from '../../lib/state/own-store.ts'
import { useStore } from '../../lib/state/store.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { changesOf, effectOfAll } from './setting-fields.ts'
import type { Drafts } from './setting-fields.ts'
import { settingIssuesQuery, useSaveSettings } from './settings.api.ts'
import { texts } from './settings.texts.ts'

/** Unsaved values. They are kept while other groups or pages are open. */
const drafts = createOwnStore<Drafts>({})

export function useDrafts(): Drafts {
  return useStore(drafts)
}

interface GroupDraft {
  drafts: Drafts
  write(key: SettingKey, text: string): void
  discard(): void
  /** Whether there are unsaved changes. */
  dirty: boolean
  /** When the changes will take effect. */
  effect: string
  /** The problem with a setting of this group. */
  issueOf(key: SettingKey): string | null
  /** Problems with settings of other groups. */
  others: readonly string[]
  saving: boolean
  error: unknown
  save(): void
}

/** The unsaved changes of one group: validated while typing, saved together. */
export function useGroupDraft(members: readonly DeskSetting[]): GroupDraft {
  const written = useStore(drafts)
  const save = useSaveSettings((done) => {
    forgetSaved(members, done)
    showToast({
      kind: 'done',
      text: texts.form.saved(effectAfterSaving(members.filter(({ key }) => key in done))),
    })
  })
  const changes = changesOf(written, members)
  const dirty = Object.keys(changes).length > 0
  const text = JSON.stringify(changes)
  const debounced = useDebounced(text, 250)
  const check = useQuery({
    ...settingIssuesQuery(JSON.parse(debounced) as typeof changes),
    enabled: dirty && debounced !== '{}',
  })
  const rejected = save.error instanceof ApiError ? save.error.issues : []
  const found = dirty ? (check.data?.issues ?? []) : []
  const issues = [...rejected, ...found]
  const issueOf = (key: SettingKey): string | null => {
    const issue = issues.find(({ path }) => settingOfPath(path) === key)
    return issue === undefined ? null : sentence(issue.message)
  }
  const changed = members.filter(({ key }) => key in changes)
  const effect = effectOfAll(changed)

  return {
    drafts: written,
    write(key, value) {
      if (save.error !== null) save.reset()
      drafts.set({ ...drafts.get(), [key]: value })
    },
    discard() {
      save.reset()
      forget(members)
    },
    dirty,
    effect,
    issueOf,
    others: issues
      .filter(({ path }) => members.every(({ key }) => key !== settingOfPath(path)))
      .map(({ path, message }) => `${path} ${message}`),
    saving: save.isPending,
    error: rejected.length > 0 ? null : save.error,
    save() {
      if (!dirty || save.isPending || (debounced === text && found.length > 0)) return
      save.mutate(changes)
    },
  }
}

/** Drops the unsaved values of these settings. */
function forget(members: readonly DeskSetting[]): void {
  const keys = new Set<string>(members.map(({ key }) => key))
  drafts.set(Object.fromEntries(Object.entries(drafts.get()).filter(([key]) => !keys.has(key))))
}

/** Drops what was saved, but not what was written while it was being saved. `members` are the former settings. */
function forgetSaved(members: readonly DeskSetting[], saved: SettingChanges): void {
  const now = changesOf(drafts.get(), members)
  forget(members.filter(({ key }) => JSON.stringify(now[key]) === JSON.stringify(saved[key])))
}

function effectAfterSaving(changed: readonly DeskSetting[]): string {
  if (changed.some(({ takesEffect }) => takesEffect === 'restart')) {
    return texts.form.effects.restart
  }
  return changed.some(({ takesEffect }) => takesEffect === 'listener')
    ? texts.form.effects.listener
    : texts.form.effects.immediate
}

/** `must be a number` becomes `It must be a number.` */
function sentence(message: string): string {
  return `It ${message}${message.endsWith('.') ? '' : '.'}`
}
