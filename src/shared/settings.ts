import { z } from 'zod'
import { undoMsSchema } from './contracts/desk-decisions.ts'
import { notBlank } from './contracts/texts.ts'
import { trimEndCharacters } from './trim-characters.ts'

/** What is known of a setting: everything that reads, checks, shows or documents it is made from this. */
interface Setting {
  /** Of its value in `settings.json`, with its default. */
  schema: z.ZodType
  /** The environment variable that wins over the file; null where no variable could hold it. */
  variable: string | null
  /** What a change needs: nothing, reopening the listener, or restarting the services. */
  takesEffect: 'at once' | 'listener' | 'restart'
  /** In `skilldock --help`. */
  help: string
  /** Its section of the settings page. */
  group: 'registry' | 'limits' | 'desk' | 'agents' | 'updates'
  label: string
  hint: string
  kind: 'text' | 'number' | 'port' | 'list' | 'choice'
  unit?: 'bytes' | 'ms'
  /** The values of a choice. */
  options?: readonly { key: string; label: string }[]
}

/** Whether administrators may approve their own releases (rulings, "Self-approval"). */
export const selfApprovals = ['allowed', 'never'] as const
export type SelfApproval = (typeof selfApprovals)[number]

const filled = z
  .string()
  .min(1)
  .refine(...notBlank)
const path = filled.nullable().default(null)
const count = (most: number, standard: number) => z.int().min(1).max(most).default(standard)
const port = (standard: number) => z.int().min(0).max(65_535).default(standard)

/** Every setting but the identity providers, which have their own place in People. */
export const settingDeclarations = {
  host: {
    schema: filled.max(255).default('127.0.0.1'),
    variable: 'SKILLDOCK_HOST',
    takesEffect: 'listener',
    help: 'address of the registry',
    group: 'registry',
    label: 'Address to listen on',
    hint: '127.0.0.1: this computer only. 0.0.0.0: everybody who can reach this computer; that needs a certificate or a proxy, and a public address.',
    kind: 'text',
  },
  port: {
    schema: port(4280),
    variable: 'SKILLDOCK_PORT',
    takesEffect: 'listener',
    help: 'port of the registry; 0 takes any free port',
    group: 'registry',
    label: 'Port of the registry',
    hint: 'Publish clients need it.',
    kind: 'port',
  },
  publicUrl: {
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
      .refine((value) => !/[?#]/.test(value), 'must not hold a query or a fragment')
      .transform((value) => trimEndCharacters(value, '/'))
      .nullable()
      .default(null),
    variable: 'SKILLDOCK_PUBLIC_URL',
    takesEffect: 'at once',
    help: 'the address that others use, where it is another one',
    group: 'registry',
    label: 'Public address',
    hint: 'Where others reach the registry. Nothing: the address that it listens on.',
    kind: 'text',
  },
  tlsCert: {
    schema: path,
    variable: 'SKILLDOCK_TLS_CERT',
    takesEffect: 'listener',
    help: 'PEM file of a certificate; the registry then speaks HTTPS',
    group: 'registry',
    label: 'Certificate',
    hint: 'Path of a PEM file, with its chain.',
    kind: 'text',
  },
  tlsKey: {
    schema: path,
    variable: 'SKILLDOCK_TLS_KEY',
    takesEffect: 'listener',
    help: 'PEM file of its key',
    group: 'registry',
    label: 'Key of the certificate',
    hint: 'Path of a PEM file.',
    kind: 'text',
  },
  trustProxy: {
    schema: z
      .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address or a network'))
      .default([]),
    variable: 'SKILLDOCK_TRUST_PROXY',
    takesEffect: 'at once',
    help: 'addresses of proxies whose X-Forwarded headers are believed',
    group: 'registry',
    label: 'Proxies to believe',
    hint: 'Addresses or networks, with commas between them. What they say of the client counts.',
    kind: 'list',
  },
  dailySubmissions: {
    schema: count(100_000, 10),
    variable: 'SKILLDOCK_DAILY_SUBMISSIONS',
    takesEffect: 'at once',
    help: 'submissions per developer in 24 hours',
    group: 'limits',
    label: 'Submissions of a person in a day',
    hint: 'One more is refused until the next day.',
    kind: 'number',
  },
  publishConcurrency: {
    schema: count(1000, 8),
    variable: 'SKILLDOCK_PUBLISH_CONCURRENCY',
    takesEffect: 'at once',
    help: 'submissions at once',
    group: 'limits',
    label: 'Uploads at the same time',
    hint: 'One more is told to come back.',
    kind: 'number',
  },
  downloadConcurrency: {
    schema: count(10_000, 64),
    variable: 'SKILLDOCK_DOWNLOAD_CONCURRENCY',
    takesEffect: 'at once',
    help: 'downloads at once',
    group: 'limits',
    label: 'Downloads at the same time',
    hint: 'One more is told to come back.',
    kind: 'number',
  },
  showcaseUploadsPerHour: {
    schema: count(1_000_000, 300),
    variable: 'SKILLDOCK_SHOWCASE_UPLOADS_PER_HOUR',
    takesEffect: 'at once',
    help: 'images uploaded to the showcase in an hour',
    group: 'limits',
    label: 'Pictures uploaded in an hour',
    hint: 'Of everybody together.',
    kind: 'number',
  },
  showcaseUnusedBytes: {
    schema: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(2_147_483_648),
    variable: 'SKILLDOCK_SHOWCASE_UNUSED_BYTES',
    takesEffect: 'at once',
    help: 'bytes of showcase images that nothing shows',
    group: 'limits',
    label: 'Room for pictures that nothing shows',
    hint: 'More of them are refused.',
    kind: 'number',
    unit: 'bytes',
  },
  dashboardPort: {
    schema: port(4200),
    variable: 'SKILLDOCK_DASHBOARD_PORT',
    takesEffect: 'restart',
    help: 'port of the desk and dashboard, always on 127.0.0.1',
    group: 'desk',
    label: 'Port of the desk and dashboard',
    hint: 'They answer this computer only.',
    kind: 'port',
  },
  undoMs: {
    schema: undoMsSchema.default(10_000),
    variable: null,
    takesEffect: 'at once',
    help: 'milliseconds in which a decision can be undone',
    group: 'desk',
    label: 'Undo window',
    hint: 'How long an approval or a rejection can be undone before it takes effect: 0 to 60000 ms. 0: it takes effect at once, without undo.',
    kind: 'number',
    unit: 'ms',
  },
  'review.selfApproval': {
    schema: z.enum(selfApprovals).default('allowed'),
    variable: 'SKILLDOCK_REVIEW_SELF_APPROVAL',
    takesEffect: 'at once',
    help: 'whether administrators may approve their own releases: allowed or never',
    group: 'desk',
    label: 'Self-approval',
    hint: 'Allowed: administrators may approve their own releases, and the public page says so. Never: another administrator has to approve them.',
    kind: 'choice',
    options: [
      { key: 'allowed', label: 'Allowed' },
      { key: 'never', label: 'Never' },
    ] satisfies { key: SelfApproval; label: string }[],
  },
  workspace: {
    schema: path,
    variable: 'SKILLDOCK_WORKSPACE',
    takesEffect: 'at once',
    help: 'the agent project that the dashboard shows; it need not exist yet',
    group: 'agents',
    label: 'Agent project',
    hint: 'Folder whose data the dashboard shows. It is only read, never written to.',
    kind: 'text',
  },
  updateUrl: {
    schema: z
      .url('must be an address that starts with https://')
      .refine(isUpdateAddress, 'must be an address that starts with https://')
      .nullable()
      .default(null),
    variable: 'SKILLDOCK_UPDATE_URL',
    takesEffect: 'at once',
    help: 'where the app looks for new versions of itself',
    group: 'updates',
    label: 'Address for new versions',
    hint: 'The app looks there, and only installs with your consent. Nothing: it looks nowhere.',
    kind: 'text',
  },
} as const satisfies Record<string, Setting>

type Declared = typeof settingDeclarations
export type SettingKey = keyof Declared
export type DeclaredSetting = Setting

/** Values of all settings, checked. */
export type SettingValues = { [Key in SettingKey]: z.output<Declared[Key]['schema']> }

export const settingKeys = Object.keys(settingDeclarations) as [SettingKey, ...SettingKey[]]

/** The schema of each setting, for an object of all of them. */
export const settingSchemas = Object.fromEntries(
  Object.entries(settingDeclarations).map(([key, { schema }]) => [key, schema]),
) as { [Key in SettingKey]: Declared[Key]['schema'] }

/** The setting that the path of an issue is about, such as `trustProxy.0`; null where it is about none. */
export function settingOfPath(issuePath: string): SettingKey | null {
  return settingKeys.find((key) => issuePath === key || issuePath.startsWith(`${key}.`)) ?? null
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** What comes from there is installed: it must not change on its way. This computer's own ports are the way. */
function isUpdateAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
  )
}
