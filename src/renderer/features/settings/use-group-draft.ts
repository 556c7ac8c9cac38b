import { useQuery } from '@tanstack/react-query'
import { settingOfPath } from '../../../shared/settings.ts'
import type { DeskSetting } from '../../../shared/contracts/desk-settings.ts'
import type { SettingKey } from '../../../shared/settings.ts'
import { ApiError } from '../../lib/server/api-error.ts'
import { createStore, useStore } from '../../lib/state/store.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useRested } from '../../lib/time/use-rested.ts'
import { changesOf, effectOfAll } from './setting-fields.ts'
import type { Drafts } from './setting-fields.ts'
import { settingIssuesQuery, useSaveSettings } from './settings.api.ts'

/** What is being written; it outlives a look at another group or page. */
const drafts = createStore<Drafts>({})

export function useDrafts(): Drafts {
  return useStore(drafts)
}

export interface GroupDraft {
  drafts: Drafts
  write(key: SettingKey, text: string): void
  takeBack(): void
  /** Whether there is something to save. */
  dirty: boolean
  /** What saving will do. */
  effect: string
  /** What is wrong with a setting of the group. */
  issueOf(key: SettingKey): string | null
  /** What is wrong elsewhere. */
  others: readonly string[]
  saving: boolean
  error: unknown
  save(): void
}

/** One group of settings as it is being changed: checked as it is written, saved as a whole. */
export function useGroupDraft(members: readonly DeskSetting[]): GroupDraft {
  const written = useStore(drafts)
  const save = useSaveSettings((done) => {
    forget(members)
    showToast({ kind: 'done', text: `Saved. ${doneWords(members.filter(({ key }) => key in done))}` })
  })
  const changes = changesOf(written, members)
  const dirty = Object.keys(changes).length > 0
  const text = JSON.stringify(changes)
  const rested = useRested(text, 250)
  const check = useQuery({
    ...settingIssuesQuery(JSON.parse(rested) as typeof changes),
    enabled: dirty && rested !== '{}',
  })
  const refused = save.error instanceof ApiError ? save.error.issues : []
  const found = dirty ? (check.data?.issues ?? []) : []
  const issues = [...refused, ...found]
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
    takeBack() {
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
    error: refused.length > 0 ? null : save.error,
    save() {
      if (!dirty || save.isPending || (rested === text && found.length > 0)) return
      save.mutate(changes)
    },
  }
}

/** What was written for these is gone: it is saved, or taken back. */
function forget(members: readonly DeskSetting[]): void {
  const keys = new Set<string>(members.map(({ key }) => key))
  drafts.set(Object.fromEntries(Object.entries(drafts.get()).filter(([key]) => !keys.has(key))))
}

function doneWords(changed: readonly DeskSetting[]): string {
  if (changed.some(({ takesEffect }) => takesEffect === 'restart')) {
    return 'The port of the desk counts after the services are started again.'
  }
  return changed.some(({ takesEffect }) => takesEffect === 'listener')
    ? 'The registry listens as it says here.'
    : 'It counts from now on.'
}

/** `must be a number` becomes `It must be a number.` */
function sentence(message: string): string {
  return `It ${message}${message.endsWith('.') ? '' : '.'}`
}
