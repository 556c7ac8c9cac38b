import { z } from 'zod'
import { undoMsSchema } from '../../shared/contracts/desk-decisions.ts'
import { selfApprovals } from '../../shared/contracts/desk-settings.ts'
import { externalIssuersSchema } from '../../shared/contracts/issuers.ts'
import { notBlank } from '../../shared/contracts/texts.ts'
import { toIssues } from '../../shared/validation.ts'
import { trimEndCharacters } from '../../shared/trim-characters.ts'

/** What can be set, in the environment (names in `variables`) or in `settings.json` of the data folder. */
const settingsSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(255)
    .refine(...notBlank)
    .default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(4280),
  dashboardPort: z.int().min(0).max(65_535).default(4200),
  /** The agent project whose data the dashboard shows; it need not exist yet. */
  workspace: z
    .string()
    .min(1)
    .refine(...notBlank)
    .nullable()
    .default(null),
  publicUrl: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .refine((value) => !/[?#]/.test(value), 'must not hold a query or a fragment')
    .transform((value) => trimEndCharacters(value, '/'))
    .nullable()
    .default(null),
  dailySubmissions: z.int().min(1).max(100_000).default(10),
  publishConcurrency: z.int().min(1).max(1000).default(8),
  downloadConcurrency: z.int().min(1).max(10_000).default(64),
  showcaseUploadsPerHour: z.int().min(1).max(1_000_000).default(300),
  /** Bytes. */
  showcaseUnusedBytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(2_147_483_648),
  tlsCert: z
    .string()
    .min(1)
    .refine(...notBlank)
    .nullable()
    .default(null),
  tlsKey: z
    .string()
    .min(1)
    .refine(...notBlank)
    .nullable()
    .default(null),
  trustProxy: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address or a network'))
    .default([]),
  /** Where the app looks for new versions of itself; null: nowhere. */
  updateUrl: z
    .url('must be an address that starts with https://')
    .refine(isUpdateAddress, 'must be an address that starts with https://')
    .nullable()
    .default(null),
  /** In `settings.json` only. */
  undoMs: undoMsSchema.default(10_000),
  /** Whether administrators may approve releases that they published themselves. */
  'review.selfApproval': z.enum(selfApprovals).default('allowed'),
  /** OpenID Connect providers, in `settings.json` only: no variable could hold them readably. */
  issuers: externalIssuersSchema.default([]),
})

export type Settings = z.output<typeof settingsSchema>

type Variable = Exclude<keyof Settings, 'issuers' | 'undoMs'>

/** What a value is before it is checked. */
export type RawSettings = Record<string, unknown>
export type Environment = Record<string, string | undefined>

const variables: Record<Variable, string> = {
  host: 'SKILLDOCK_HOST',
  port: 'SKILLDOCK_PORT',
  dashboardPort: 'SKILLDOCK_DASHBOARD_PORT',
  workspace: 'SKILLDOCK_WORKSPACE',
  publicUrl: 'SKILLDOCK_PUBLIC_URL',
  dailySubmissions: 'SKILLDOCK_DAILY_SUBMISSIONS',
  publishConcurrency: 'SKILLDOCK_PUBLISH_CONCURRENCY',
  downloadConcurrency: 'SKILLDOCK_DOWNLOAD_CONCURRENCY',
  showcaseUploadsPerHour: 'SKILLDOCK_SHOWCASE_UPLOADS_PER_HOUR',
  showcaseUnusedBytes: 'SKILLDOCK_SHOWCASE_UNUSED_BYTES',
  tlsCert: 'SKILLDOCK_TLS_CERT',
  tlsKey: 'SKILLDOCK_TLS_KEY',
  trustProxy: 'SKILLDOCK_TRUST_PROXY',
  updateUrl: 'SKILLDOCK_UPDATE_URL',
  'review.selfApproval': 'SKILLDOCK_REVIEW_SELF_APPROVAL',
}

const numeric = new Set<Variable>([
  'port',
  'dashboardPort',
  'dailySubmissions',
  'publishConcurrency',
  'downloadConcurrency',
  'showcaseUploadsPerHour',
  'showcaseUnusedBytes',
])

/** The variable that wins over a setting of the file; null where there is none. */
export function variableOf(key: string): string | null {
  return key in variables ? variables[key as Variable] : null
}

/** Settings of a file with dots in their names may also be written as objects: `{"review": {"selfApproval": …}}`. */
export function flattenSettings(raw: RawSettings): RawSettings {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, held]): [string, unknown] => [`${key}.${inner}`, held])
        : [[key, value]],
    ),
  )
}

/** A variable that is set to nothing counts as not set. */
export function given(environment: Environment, name: string): string | null {
  const value = environment[name]
  return value === undefined || value === '' ? null : value
}

export type ResolvedSettings =
  | { success: true; settings: Settings }
  | { success: false; issues: { path: string; message: string }[] }

/** The settings of the file and the environment, which wins, and the defaults where neither has any. */
export function resolveSettings(fromFile: RawSettings, environment: Environment): ResolvedSettings {
  const merged: RawSettings = { ...fromFile }
  for (const [key, name] of Object.entries(variables) as [Variable, string][]) {
    const value = given(environment, name)
    if (value !== null) merged[key] = fromText(key, value)
  }
  const result = settingsSchema.safeParse(merged, { reportInput: true })
  return result.success
    ? { success: true, settings: result.data }
    : { success: false, issues: toIssues(result.error) }
}

export const defaultSettings: Settings = settingsSchema.parse({})

function fromText(key: Variable, value: string): unknown {
  if (numeric.has(key)) return /^-?\d{1,16}$/.test(value) ? Number(value) : value
  if (key === 'trustProxy') return value.split(',').map((address) => address.trim())
  return value
}

export type ReachProblem = 'half a certificate' | 'unprotected' | 'no address'

/** What keeps settings that are each good from being used together (rulings, "Beyond loopback"). */
export function findReachProblems(
  settings: Pick<Settings, 'host' | 'tlsCert' | 'tlsKey' | 'trustProxy' | 'publicUrl'>,
): ReachProblem[] {
  if ((settings.tlsCert === null) !== (settings.tlsKey === null)) return ['half a certificate']
  if (isLoopback(settings.host)) return []
  const problems: ReachProblem[] = []
  if (settings.tlsCert === null && settings.trustProxy.length === 0) problems.push('unprotected')
  if (settings.publicUrl === null) problems.push('no address')
  return problems
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

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
