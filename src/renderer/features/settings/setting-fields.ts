import type { DeskSetting, SettingChanges, SettingValue } from '../../../shared/contracts/desk-settings.ts'
import { settingKeys, settingDeclarations } from '../../../shared/settings.ts'
import type { DeclaredSetting, SettingKey } from '../../../shared/settings.ts'
import { isRemote } from '../../lib/app/remote.ts'
import { formatMiB } from '../../lib/format.ts'
import { texts } from './settings.texts.ts'

/** Formats a number in a more readable unit. */
const readers = {
  bytes: formatMiB,
  ms: (value: number) => (value === 0 ? texts.setting.noUndo : texts.setting.seconds(value / 1000)),
} as const

interface SettingField extends Pick<DeclaredSetting, 'label' | 'hint' | 'kind' | 'options' | 'unit'> {
  read?: (value: number) => string
}

/** How a setting is displayed. */
export function fieldOf(key: SettingKey): SettingField {
  const setting = settingDeclarations[key]
  return setting.unit === undefined ? setting : { ...setting, read: readers[setting.unit] }
}

export interface SettingGroup {
  id: string
  title: string
  lead: string
  keys: readonly SettingKey[]
}

const keysOf = (group: DeclaredSetting['group']): SettingKey[] =>
  settingKeys.filter((key) => {
    const setting = settingDeclarations[key]
    return setting.group === group && !(isRemote && setting.local === true)
  })

export const settingGroups: readonly SettingGroup[] = (
  ['registry', 'limits', 'backups', 'notifications', 'desk', 'agents', 'updates'] as const
)
  .map((id) => ({ id, ...texts.groups[id], keys: keysOf(id) }))
  .filter(({ keys }) => keys.length > 0)

/** A value as the text of its field. */
export function writeValue(value: SettingValue): string {
  if (value === null) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** The value of a field's text; null if empty, which means the default. The server rejects invalid numbers. */
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

/** A default value as text. */
export function describeDefault({ key, default: value }: Pick<DeskSetting, 'key' | 'default'>): string {
  const text = writeValue(value)
  const { unit, options } = fieldOf(key)
  const option = options?.find((one) => one.key === text)
  if (option !== undefined) return option.label
  return text === '' ? texts.setting.none : unit === undefined ? text : `${text} ${unit}`
}

/** The saved value, which may not be in effect until a restart. */
export function savedText(setting: DeskSetting): string {
  return writeValue(setting.waiting === undefined ? setting.value : setting.waiting)
}

export type Drafts = Partial<Record<SettingKey, string>>

/** The changes that saving these drafts would make. */
export function changesOf(drafts: Drafts, settings: readonly DeskSetting[]): SettingChanges {
  const changed = settings.flatMap((setting): [SettingKey, SettingValue][] => {
    const text = drafts[setting.key]
    if (text === undefined || setting.source === 'environment') return []
    return text.trim() === savedText(setting) ? [] : [[setting.key, readValue(setting.key, text)]]
  })
  return Object.fromEntries(changed)
}

/** When changes of these settings take effect: `takes effect immediately.` */
export function effectOfAll(settings: readonly DeskSetting[]): string {
  const of = (kind: DeskSetting['takesEffect']) => settings.some((setting) => setting.takesEffect === kind)
  const kinds = (['at once', 'listener', 'restart'] as const).filter(of)
  return kinds.length > 1 && kinds.includes('restart')
    ? texts.effects.mixed
    : texts.effects[kinds.at(-1) ?? 'at once']
}
