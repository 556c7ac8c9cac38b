import type {
  DeskSetting,
  SelfApproval,
  SettingChanges,
  SettingKey,
  SettingValue,
} from '../../../shared/contracts/desk-settings.ts'
import { formatMiB } from '../../lib/format.ts'

export interface SettingField {
  label: string
  hint: string
  kind: 'text' | 'number' | 'port' | 'list' | 'choice'
  /** The values of a choice. */
  options?: readonly { key: string; label: string }[]
  unit?: string
  /** A number in words that are easier to read. */
  read?: (value: number) => string
}

/** How each setting is shown. */
export const settingFields: Record<SettingKey, SettingField> = {
  host: {
    label: 'Address to listen on',
    hint: '127.0.0.1: this computer only. 0.0.0.0: everybody who can reach this computer; that needs a certificate or a proxy, and a public address.',
    kind: 'text',
  },
  port: { label: 'Port of the registry', hint: 'Publish clients need it.', kind: 'port' },
  publicUrl: {
    label: 'Public address',
    hint: 'Where others reach the registry. Nothing: the address that it listens on.',
    kind: 'text',
  },
  tlsCert: { label: 'Certificate', hint: 'Path of a PEM file, with its chain.', kind: 'text' },
  tlsKey: { label: 'Key of the certificate', hint: 'Path of a PEM file.', kind: 'text' },
  trustProxy: {
    label: 'Proxies to believe',
    hint: 'Addresses or networks, with commas between them. What they say of the client counts.',
    kind: 'list',
  },
  dailySubmissions: {
    label: 'Submissions of a person in a day',
    hint: 'One more is refused until the next day.',
    kind: 'number',
  },
  publishConcurrency: {
    label: 'Uploads at the same time',
    hint: 'One more is told to come back.',
    kind: 'number',
  },
  downloadConcurrency: {
    label: 'Downloads at the same time',
    hint: 'One more is told to come back.',
    kind: 'number',
  },
  showcaseUploadsPerHour: {
    label: 'Pictures uploaded in an hour',
    hint: 'Of everybody together.',
    kind: 'number',
  },
  showcaseUnusedBytes: {
    label: 'Room for pictures that nothing shows',
    hint: 'More of them are refused.',
    kind: 'number',
    unit: 'bytes',
    read: formatMiB,
  },
  dashboardPort: {
    label: 'Port of the desk and dashboard',
    hint: 'They answer this computer only.',
    kind: 'port',
  },
  undoMs: {
    label: 'Undo window',
    hint: 'How long an approval or a rejection can be undone before it takes effect: 0 to 60000 ms. 0: it takes effect at once, without undo.',
    kind: 'number',
    unit: 'ms',
    read: (value) => (value === 0 ? 'no undo' : `${value / 1000} s`),
  },
  'review.selfApproval': {
    label: 'Self-approval',
    hint: 'Allowed: administrators may approve their own releases, and the public page says so. Never: another administrator has to approve them.',
    kind: 'choice',
    options: [
      { key: 'allowed', label: 'Allowed' },
      { key: 'never', label: 'Never' },
    ] satisfies { key: SelfApproval; label: string }[],
  },
  workspace: {
    label: 'Agent project',
    hint: 'Folder whose data the dashboard shows. It is only read, never written to.',
    kind: 'text',
  },
  updateUrl: {
    label: 'Address for new versions',
    hint: 'The app looks there, and only installs with your consent. Nothing: it looks nowhere.',
    kind: 'text',
  },
}

export interface SettingGroup {
  id: string
  title: string
  lead: string
  keys: readonly SettingKey[]
}

export const settingGroups: readonly SettingGroup[] = [
  {
    id: 'registry',
    title: 'Registry',
    lead: 'Where the registry listens, and who can reach it.',
    keys: ['host', 'port', 'publicUrl', 'tlsCert', 'tlsKey', 'trustProxy'],
  },
  {
    id: 'limits',
    title: 'Limits',
    lead: 'What one person, or all of them together, may ask of this computer.',
    keys: [
      'dailySubmissions',
      'publishConcurrency',
      'downloadConcurrency',
      'showcaseUploadsPerHour',
      'showcaseUnusedBytes',
    ],
  },
  {
    id: 'desk',
    title: 'Desk and dashboard',
    lead: 'How the desk is reached, how long a decision can be undone, and who may approve.',
    keys: ['dashboardPort', 'undoMs', 'review.selfApproval'],
  },
  { id: 'agents', title: 'Agents', lead: 'What the dashboard looks at.', keys: ['workspace'] },
  { id: 'updates', title: 'Updates', lead: 'Where new versions come from.', keys: ['updateUrl'] },
]

/** A value as it stands in its field. */
export function writeValue(value: SettingValue): string {
  if (value === null) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** What a field says; null for nothing, where the default counts. What is no number is left for the server to refuse. */
export function readValue(key: SettingKey, text: string): SettingValue {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const { kind } = settingFields[key]
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
  const { unit, options } = settingFields[key]
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
