import type { DeskSetting, SettingChanges, SettingValue } from '../../../shared/contracts/desk-settings.ts'
import { settingKeys, settingDeclarations } from '../../../shared/settings.ts'
import type { DeclaredSetting, SettingKey } from '../../../shared/settings.ts'
import { formatMiB } from '../../lib/format.ts'

/** A number in words that are easier to read, where its unit has some. */
const readers = {
  bytes: formatMiB,
  ms: (value: number) => (value === 0 ? 'no undo' : `${value / 1000} s`),
} as const

export interface SettingField extends Pick<DeclaredSetting, 'label' | 'hint' | 'kind' | 'options' | 'unit'> {
  read?: (value: number) => string
}

/** How a setting is shown. */
export function fieldOf(key: SettingKey): SettingField {
  const setting: DeclaredSetting = settingDeclarations[key]
  return setting.unit === undefined ? setting : { ...setting, read: readers[setting.unit] }
}

export interface SettingGroup {
  id: string
  title: string
  lead: string
  keys: readonly SettingKey[]
}

const keysOf = (group: DeclaredSetting['group']): SettingKey[] =>
  settingKeys.filter((key) => settingDeclarations[key].group === group)

export const settingGroups: readonly SettingGroup[] = [
  { id: 'registry', title: 'Registry', lead: 'Where the registry listens, and who can reach it.' },
  {
    id: 'limits',
    title: 'Limits',
    lead: 'What one person, or all of them together, may ask of this computer.',
  },
  {
    id: 'desk',
    title: 'Desk and dashboard',
    lead: 'How the desk is reached, how long a decision can be undone, and who may approve.',
  },
  { id: 'agents', title: 'Agents', lead: 'What the dashboard looks at.' },
  { id: 'updates', title: 'Updates', lead: 'Where new versions come from.' },
].map((group) => ({ ...group, keys: keysOf(group.id as DeclaredSetting['group']) }))

/** A value as it stands in its field. */
export function writeValue(value: SettingValue): string {
  if (value === null) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** What a field says; null for nothing, where the default counts. What is no number is left for the server to refuse. */
export function readValue(key: SettingKey, text: string): SettingValue {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const { kind } = settingDeclarations[key]
  if (kind === 'list') {
    return trimmed
      .split(/[\s,]+/)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }
  if (kind === 'text' || kind === 'choice') return trimmed
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** A default in words. */
export function describeDefault({ key, default: value }: Pick<DeskSetting, 'key' | 'default'>): string {
  const text = writeValue(value)
  const { unit, options } = fieldOf(key)
  const option = options?.find((one) => one.key === text)
  if (option !== undefined) return option.label
  return text === '' ? 'none' : unit === undefined ? text : `${text} ${unit}`
}

/** The value that the file holds or would hold: the one that waits, where one does. */
export function savedText(setting: DeskSetting): string {
  return writeValue(setting.waiting === undefined ? setting.value : setting.waiting)
}

export type Drafts = Partial<Record<SettingKey, string>>

/** What the drafts of these settings would change. */
export function changesOf(drafts: Drafts, settings: readonly DeskSetting[]): SettingChanges {
  const changed = settings.flatMap((setting): [SettingKey, SettingValue][] => {
    const text = drafts[setting.key]
    if (text === undefined || setting.source === 'environment') return []
    return text.trim() === savedText(setting) ? [] : [[setting.key, readValue(setting.key, text)]]
  })
  return Object.fromEntries(changed)
}

const effects = {
  'at once': 'Takes effect at once.',
  listener: 'Takes effect at once; the registry listens anew.',
  restart: 'Counts after the services are started again.',
} as const

/** What a change needs, said before it is saved. */
export function effectOf(takesEffect: DeskSetting['takesEffect']): string {
  return effects[takesEffect]
}

/** What saving these will do: the greatest of their effects. */
export function effectOfAll(settings: readonly DeskSetting[]): string {
  const of = (kind: DeskSetting['takesEffect']) => settings.some((setting) => setting.takesEffect === kind)
  const kinds = (['at once', 'listener', 'restart'] as const).filter(of)
  return kinds.length > 1 && kinds.includes('restart')
    ? 'Takes effect at once, but the port of the desk counts after the services are started again.'
    : effectOf(kinds.at(-1) ?? 'at once')
}
