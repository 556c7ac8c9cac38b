import { z } from 'zod'
import { backupIntervals } from './backup-intervals.ts'
import type { BackupInterval } from './backup-intervals.ts'
import { maxUndoMs, undoMsSchema } from './contracts/desk-decisions.ts'
import { mailAddressSchema } from './contracts/notifications.ts'
import { notBlank } from './contracts/text-schemas.ts'
import { trimEndCharacters } from './trim-characters.ts'
import { texts } from './validation.texts.ts'

/** The declaration of a setting, from which validation, API, `--help` and the settings page are derived. */
interface Declaration {
  /** Schema of its value in `settings.json`, with the default. */
  schema: z.ZodType
  /** Null if no environment variable overrides the file. */
  variable?: null
  /** When a change takes effect: immediately (by default), when the listener is reopened, or after a restart of the services. */
  takesEffect?: 'at once' | 'listener' | 'restart'
  /** Its text in `skilldock --help`. */
  help: string
  /** Its section on the settings page. */
  group: 'registry' | 'limits' | 'backups' | 'notifications' | 'desk' | 'agents' | 'updates'
  label: string
  hint: string
  /** `text` if absent. */
  kind?: 'text' | 'number' | 'port' | 'list' | 'choice'
  unit?: 'bytes' | 'ms'
  /** The values of a choice. */
  options?: readonly { key: string; label: string }[]
  /** It concerns the registry's computer (its folders, ports and certificates), so the remote desk does not have it. */
  local?: true
}

/** Whether reviewers may approve their own releases (rulings, "Self-approval"). */
export const selfApprovals = ['allowed', 'never'] as const
export type SelfApproval = (typeof selfApprovals)[number]

/** How many people must approve a release. */
export const approvalsSchema = z.int().min(1).max(2)

/** How the connection to the mail server is encrypted. */
const mailSecurities = ['starttls', 'tls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** Whether webhooks may use addresses that are not on the public internet. */
const privateAddresses = ['refused', 'allowed'] as const
type PrivateAddresses = (typeof privateAddresses)[number]

const filled = z
  .string()
  .min(1)
  .refine(...notBlank)
const path = filled.nullable().default(null)
const count = (max: number, defaultCount: number) => z.int().min(1).max(max).default(defaultCount)
const port = (defaultPort: number) => z.int().min(0).max(65_535).default(defaultPort)

/** A setting with what its declaration may leave out. */
export type DeclaredSetting = Omit<Declaration, 'variable'> &
  Required<Pick<Declaration, 'takesEffect' | 'kind'>> & {
    /** The environment variable that overrides the file, or null. */
    variable: string | null
  }

/** `mail.passwordFile` is overridden by SKILLDOCK_MAIL_PASSWORD_FILE. */
const variableFor = (key: string): string =>
  `SKILLDOCK_${key.replaceAll('.', '_').replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`

/** All settings except the identity providers, which are managed under People. */
const declarations = {
  host: {
    schema: filled.max(255).default('127.0.0.1'),
    takesEffect: 'listener',
    help: 'listen address of the registry',
    group: 'registry',
    label: 'Listen address',
    hint: '127.0.0.1: this computer only. 0.0.0.0: anyone who can reach this computer; requires a certificate or a proxy, and a public address.',
    local: true,
  },
  port: {
    schema: port(4280),
    takesEffect: 'listener',
    help: 'port of the registry; 0 for any free port',
    group: 'registry',
    label: 'Registry port',
    hint: 'Browsers and the skill client connect to it.',
    kind: 'port',
    local: true,
  },
  publicUrl: {
    schema: z
      .url({ protocol: /^https?$/, error: texts.url })
      .refine((value) => !/[?#]/.test(value), texts.query)
      .refine(hasNoCredentials, texts.credentials)
      .transform((value) => trimEndCharacters(value, '/'))
      .nullable()
      .default(null),
    help: 'public URL of the registry, if it differs from the listen address',
    group: 'registry',
    label: 'Public address',
    hint: 'The URL where others reach the registry. If empty, the listen address is used.',
    local: true,
  },
  securityContact: {
    schema: z
      .url({ protocol: /^(https|mailto|tel)$/, error: texts.contact })
      .nullable()
      .default(null),
    help: 'where to report vulnerabilities, as https:, mailto: or tel: (/.well-known/security.txt)',
    group: 'registry',
    label: 'Security contact',
    hint: 'Where others report vulnerabilities of this registry, such as mailto:security@example.com. Published at /.well-known/security.txt.',
  },
  tlsCert: {
    schema: path,
    takesEffect: 'listener',
    help: 'PEM file with the certificate; enables HTTPS',
    group: 'registry',
    label: 'Certificate',
    hint: 'Path to a PEM file that includes the certificate chain.',
    local: true,
  },
  tlsKey: {
    schema: path,
    takesEffect: 'listener',
    help: "PEM file with the certificate's private key",
    group: 'registry',
    label: 'Private key',
    hint: 'Path to a PEM file.',
    local: true,
  },
  trustProxy: {
    schema: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], texts.network)).default([]),
    help: 'addresses of proxies whose X-Forwarded headers are trusted',
    group: 'registry',
    label: 'Trusted proxies',
    hint: 'IP addresses or networks, separated by commas. Their X-Forwarded headers are trusted.',
    kind: 'list',
    local: true,
  },
  dailySubmissions: {
    schema: count(100_000, 10),
    help: 'maximum submissions per publisher in 24 hours',
    group: 'limits',
    label: 'Daily submissions per publisher',
    hint: 'Within any 24 hours. Further submissions are rejected.',
    kind: 'number',
  },
  publishConcurrency: {
    schema: count(1000, 8),
    help: 'maximum concurrent uploads of releases',
    group: 'limits',
    label: 'Concurrent uploads',
    hint: 'Clients over the limit are told to retry later.',
    kind: 'number',
  },
  downloadConcurrency: {
    schema: count(10_000, 64),
    help: 'maximum concurrent downloads',
    group: 'limits',
    label: 'Concurrent downloads',
    hint: 'Clients over the limit are told to retry later.',
    kind: 'number',
  },
  showcaseUploadsPerHour: {
    schema: count(1_000_000, 300),
    help: 'maximum images uploaded to the showcase per hour and address',
    group: 'limits',
    label: 'Showcase images per hour',
    hint: 'For each client address.',
    kind: 'number',
  },
  showcaseUnusedBytes: {
    schema: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(2_147_483_648),
    help: 'maximum bytes of showcase images that are not part of an approved project',
    group: 'limits',
    label: 'Space for unapproved showcase images',
    hint: 'For images that are not part of an approved project. Further uploads are rejected.',
    kind: 'number',
    unit: 'bytes',
  },
  'backup.every': {
    schema: z.enum(backupIntervals).default('daily'),
    help: 'how often to back up the data folder: never, hourly, daily or weekly',
    group: 'backups',
    label: 'Back up',
    hint: 'Each backup is tested by restoring it into a temporary folder.',
    kind: 'choice',
    options: [
      { key: 'never', label: 'Never' },
      { key: 'hourly', label: 'Hourly' },
      { key: 'daily', label: 'Daily' },
      { key: 'weekly', label: 'Weekly' },
    ] satisfies { key: BackupInterval; label: string }[],
  },
  'backup.keep': {
    schema: count(1000, 7),
    help: 'how many tested backups to keep',
    group: 'backups',
    label: 'Backups to keep',
    hint: 'Older backups that the server made are removed after the next one has been tested.',
    kind: 'number',
  },
  'backup.folder': {
    schema: path,
    help: 'folder of the backups; default: backups in the data folder',
    group: 'backups',
    label: 'Backup folder',
    hint: 'Use a folder on another disk, so that a failed disk does not take the backups with it. If empty, backups are in the data folder.',
    local: true,
  },
  'webhooks.privateAddresses': {
    schema: z.enum(privateAddresses).default('refused'),
    help: 'whether webhooks may use http:// and addresses of this computer or a local network: refused or allowed',
    group: 'notifications',
    label: 'Private addresses of webhooks',
    hint: 'Refused: a webhook must use https:// and a public address. Allowed: it may also use http://, this computer and the local network.',
    kind: 'choice',
    options: [
      { key: 'refused', label: 'Refused' },
      { key: 'allowed', label: 'Allowed' },
    ] satisfies { key: PrivateAddresses; label: string }[],
    local: true,
  },
  'mail.host': {
    schema: filled.max(255).nullable().default(null),
    help: 'SMTP server for e-mail notifications; without it, none are sent',
    group: 'notifications',
    label: 'Mail server',
    hint: 'Host name of an SMTP server. If empty, no e-mail is sent.',
    local: true,
  },
  'mail.port': {
    schema: z.int().min(1).max(65_535).default(587),
    help: 'port of the SMTP server',
    group: 'notifications',
    label: 'Mail server port',
    hint: 'Usually 587 with STARTTLS and 465 with TLS.',
    kind: 'number',
    local: true,
  },
  'mail.security': {
    schema: z.enum(mailSecurities).default('starttls'),
    help: 'encryption of the connection to the SMTP server: starttls, tls or none',
    group: 'notifications',
    label: 'Mail encryption',
    hint: 'STARTTLS and TLS require a valid certificate. Use no encryption only for a mail server on this computer.',
    kind: 'choice',
    local: true,
    options: [
      { key: 'starttls', label: 'STARTTLS' },
      { key: 'tls', label: 'TLS' },
      { key: 'none', label: 'None' },
    ] satisfies { key: MailSecurity; label: string }[],
  },
  'mail.user': {
    schema: filled.max(255).nullable().default(null),
    help: 'user name at the SMTP server',
    group: 'notifications',
    label: 'Mail user',
    hint: 'If empty, Skilldock does not sign in to the mail server.',
    local: true,
  },
  'mail.passwordFile': {
    schema: filled.refine(isPasswordFile, texts.passwordFile).nullable().default(null),
    help: 'file with the password at the SMTP server; SKILLDOCK_MAIL_PASSWORD takes precedence',
    group: 'notifications',
    label: 'Mail password file',
    hint: 'Absolute path to a file with “password” in its name, which contains only the password. Or set the environment variable SKILLDOCK_MAIL_PASSWORD. The password itself is never stored in the settings.',
    local: true,
  },
  'mail.from': {
    schema: mailAddressSchema.nullable().default(null),
    help: 'sender address of e-mail notifications',
    group: 'notifications',
    label: 'Mail sender',
    hint: 'Address that e-mail notifications come from. Required to send any.',
    local: true,
  },
  dashboardPort: {
    schema: port(4200),
    takesEffect: 'restart',
    help: "port of the local services (the desk and the dashboard's API), always on 127.0.0.1",
    group: 'desk',
    label: 'Local services port',
    hint: 'For the desk and the dashboard, which only this computer can reach.',
    kind: 'port',
    local: true,
  },
  'desk.remote': {
    schema: z.enum(['off', 'on']).default('off'),
    help: 'whether the desk is also served under /desk/ at the public address: off or on',
    group: 'desk',
    label: 'Desk over the network',
    hint: 'On: people can also open the desk under /desk/ at the public address. Requires a certificate or a trusted proxy, and a public address with https://. The agent dashboard and the services stay on this computer.',
    kind: 'choice',
    options: [
      { key: 'off', label: 'Off' },
      { key: 'on', label: 'On' },
    ],
    local: true,
  },
  undoMs: {
    schema: undoMsSchema.default(10_000),
    variable: null,
    help: 'milliseconds during which a decision can be undone',
    group: 'desk',
    label: 'Undo window',
    hint: `How long an approval or rejection can be undone before it takes effect: 0 to ${maxUndoMs} ms. 0: it takes effect immediately and cannot be undone.`,
    kind: 'number',
    unit: 'ms',
  },
  'review.selfApproval': {
    schema: z.enum(selfApprovals).default('allowed'),
    help: 'whether reviewers may approve their own releases: allowed or never',
    group: 'desk',
    label: 'Self-approval',
    hint: "Allowed: reviewers may approve their own releases, and the release's public page says so. Never: another reviewer must approve them.",
    kind: 'choice',
    options: [
      { key: 'allowed', label: 'Allowed' },
      { key: 'never', label: 'Never' },
    ] satisfies { key: SelfApproval; label: string }[],
  },
  'review.approvals': {
    schema: approvalsSchema.default(1),
    help: 'how many reviewers must approve a release: 1 or 2',
    group: 'desk',
    label: 'Necessary approvals',
    hint: 'How many reviewers must approve a release before it becomes public: 1 or 2. With 2, the release stays pending after the first approval. Past decisions are not affected.',
    kind: 'number',
  },
  'attestation.key': {
    schema: count(100, 1),
    help: 'number of the key that signs attestations; increase it by one to change the key',
    group: 'registry',
    label: 'Attestation key',
    hint: 'Number of the key that signs the approvals of releases. Increase it by one to change the key: clients accept the new one because the former one vouches for it.',
    kind: 'number',
    local: true,
  },
  'log.file': {
    schema: z
      .string()
      .regex(/^(?:\/|[A-Za-z]:[\\/]).*\.(?:log|jsonl)$/, texts.logFile)
      .nullable()
      .default(null),
    help: 'file to which the log is also written, rotated at 10 MiB; five older files are kept',
    group: 'desk',
    label: 'Log file',
    hint: 'Absolute path that ends with .log or .jsonl. The log is also written to this file, as on standard error. At 10 MiB it is renamed; five older files are kept. If empty, there is no file.',
    local: true,
  },
  workspace: {
    schema: path,
    help: 'folder of the agent project that the dashboard shows; it need not exist yet',
    group: 'agents',
    label: 'Agent project',
    hint: 'Folder whose data the dashboard shows. Skilldock only reads it and never writes to it.',
    local: true,
  },
  updateUrl: {
    schema: z.url(texts.providerUrl).refine(isUpdateAddress, texts.providerUrl).nullable().default(null),
    help: 'where the app checks for updates',
    group: 'updates',
    label: 'Update address',
    hint: 'Where the app checks for updates. It installs them only with your consent. If empty, it does not check.',
    local: true,
  },
} as const satisfies Record<string, Declaration>

type Declared = typeof declarations
export type SettingKey = keyof Declared

export const settingKeys = Object.keys(declarations) as [SettingKey, ...SettingKey[]]

export const settingDeclarations = Object.fromEntries(
  Object.entries(declarations).map(([key, declared]: [string, Declaration]) => [
    key,
    { variable: variableFor(key), takesEffect: 'at once', kind: 'text', ...declared },
  ]),
) as unknown as {
  [Key in SettingKey]: DeclaredSetting & {
    variable: Declared[Key] extends { variable: null } ? null : string
  }
}

/** The schemas of all settings, as the shape of an object. */
export const settingSchemas = Object.fromEntries(
  Object.entries(declarations).map(([key, { schema }]) => [key, schema]),
) as { [Key in SettingKey]: Declared[Key]['schema'] }

/** The setting that the path of an issue refers to, such as `trustProxy.0`, or null. */
export function settingOfPath(issuePath: string): SettingKey | null {
  return settingKeys.find((key) => issuePath === key || issuePath.startsWith(`${key}.`)) ?? null
}

/** The name must say so, because the content is sent to the mail server, and could be that of any other file. */
function isPasswordFile(file: string): boolean {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return /^(?:\/|[A-Za-z]:[\\/])/.test(file) && name.toLowerCase().includes('password')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Whether an address may be published and sent to others. */
function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text)
  return url === null || (url.username === '' && url.password === '')
}

/** Updates are installed from there, so the connection must be secure: HTTPS, or a port on this computer. */
function isUpdateAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !hasNoCredentials(text)) return false
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
  )
}
