import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { undoMs } from '../shared/contracts/desk-decisions.ts'
import { externalIssuersSchema } from '../shared/contracts/issuers.ts'
import { toIssues } from '../shared/validation.ts'

/** What can be set, in the environment (names in `variables`) or in `settings.json` of the data folder. */
const settingsSchema = z.strictObject({
  host: z.string().min(1).max(255).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(4280),
  dashboardPort: z.int().min(0).max(65_535).default(4200),
  /** The agent project whose data the dashboard shows; it need not exist yet. */
  workspace: z.string().min(1).nullable().default(null),
  publicUrl: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .refine((value) => !/[?#]/.test(value), 'must not hold a query or a fragment')
    .transform((value) => value.replace(/\/+$/, ''))
    .nullable()
    .default(null),
  dailySubmissions: z.int().min(1).max(100_000).default(10),
  publishConcurrency: z.int().min(1).max(1000).default(8),
  downloadConcurrency: z.int().min(1).max(10_000).default(64),
  showcaseUploadsPerHour: z.int().min(1).max(1_000_000).default(300),
  /** Bytes. */
  showcaseUnusedBytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(2_147_483_648),
  tlsCert: z.string().min(1).nullable().default(null),
  tlsKey: z.string().min(1).nullable().default(null),
  trustProxy: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address or a network'))
    .default([]),
  /** Where the app looks for new versions of itself; null: nowhere. */
  updateUrl: z
    .url('must be an address that starts with https://')
    .refine(isUpdateAddress, 'must be an address that starts with https://')
    .nullable()
    .default(null),
  /** Milliseconds for which a decision of the desk can be taken back, in `settings.json` only; 0: not at all. */
  undoMs: z.int().min(0).max(undoMs).default(undoMs),
  /** OpenID Connect providers, in `settings.json` only: no variable could hold them readably. */
  issuers: externalIssuersSchema.default([]),
})

export type Settings = z.output<typeof settingsSchema>

type Variable = Exclude<keyof Settings, 'issuers' | 'undoMs'>

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

export interface Config extends Settings {
  dataFolder: string
  /** Written when both services accept requests. */
  readyFile: string | null
}

/** A setting that cannot be used; the message names it, its place and what it may be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Record<string, string | undefined>

/**
 * Reads the environment and `settings.json` (rulings, "Environment"); the environment wins. Throws a
 * ConfigError that names every bad value.
 */
export function readConfig(environment: Environment = process.env): Config {
  const dataFolder = findDataFolder(environment)
  const fromFile = readJsonObject(join(dataFolder, 'settings.json'))
  const merged: Record<string, unknown> = { ...fromFile }
  for (const [key, name] of Object.entries(variables) as [Variable, string][]) {
    const value = given(environment, name)
    if (value !== null) merged[key] = fromText(key, value)
  }
  const result = settingsSchema.safeParse(merged, { reportInput: true })
  if (!result.success) {
    throw new ConfigError(explain(toIssues(result.error), environment))
  }
  const settings = result.data
  assertReachable(settings)
  return { ...settings, dataFolder, readyFile: findReadyFile(environment) }
}

function findReadyFile(environment: Environment): string | null {
  const path = given(environment, 'SKILLDOCK_READY_FILE')
  if (path === null) return null
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true) return path
  throw new ConfigError(`SKILLDOCK_READY_FILE (${JSON.stringify(path)}) lies in no folder that exists.`)
}

/** A variable that is set to nothing counts as not set. */
function given(environment: Environment, name: string): string | null {
  const value = environment[name]
  return value === undefined || value === '' ? null : value
}

/** Rulings, "Data folder": the environment, else `location.json`, else the system's usual place. */
export function findDataFolder(environment: Environment = process.env): string {
  const named = given(environment, 'SKILLDOCK_DATA')
  if (named !== null) return resolve(named)
  const location = join(configurationFolder(environment), 'location.json')
  const chosen = readJsonObject(location)['dataFolder']
  if (chosen === undefined) return usualDataFolder(environment)
  if (typeof chosen === 'string' && isAbsolute(chosen)) return chosen
  throw new ConfigError(`${location}: dataFolder must be an absolute path. Correct it or delete the file.`)
}

/** Where the person's own choice of a data folder is kept. */
export function configurationFolder(environment: Environment = process.env): string {
  const home = given(environment, 'HOME') ?? homedir()
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Skilldock Desk')
  if (process.platform === 'win32') {
    return join(given(environment, 'APPDATA') ?? join(home, 'AppData', 'Roaming'), 'Skilldock')
  }
  return join(given(environment, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'skilldock')
}

function usualDataFolder(environment: Environment): string {
  const home = given(environment, 'HOME') ?? homedir()
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Skilldock')
  if (process.platform === 'win32') {
    return join(given(environment, 'LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'Skilldock')
  }
  return join(given(environment, 'XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'skilldock')
}

function readJsonObject(path: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new ConfigError(`${path} cannot be read: ${String(error)}`, { cause: error })
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch (error) {
    throw new ConfigError(`${path} is not a JSON object. Correct it or delete the file.`, { cause: error })
  }
}

function fromText(key: Variable, value: string): unknown {
  if (numeric.has(key)) return /^-?\d{1,16}$/.test(value) ? Number(value) : value
  if (key === 'trustProxy') return value.split(',').map((address) => address.trim())
  return value
}

function explain(issues: { path: string; message: string }[], environment: Environment): string {
  const lines = issues.map(({ path, message }) => {
    const key = path.split('.')[0] ?? ''
    const variable = key in variables ? variables[key as Variable] : undefined
    const set = variable === undefined ? null : given(environment, variable)
    return set === null
      ? `settings.json: ${path} ${message}`
      : `${variable} (${JSON.stringify(set.slice(0, 100))}) ${message}`
  })
  return `These settings cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

/** Rulings, "Beyond loopback". */
function assertReachable(settings: Settings): void {
  if ((settings.tlsCert === null) !== (settings.tlsKey === null)) {
    throw new ConfigError('SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY belong together; set both or neither.')
  }
  if (isLoopback(settings.host)) return
  const reasons: string[] = []
  if (settings.tlsCert === null && settings.trustProxy.length === 0) {
    reasons.push(
      'tokens would cross the network unprotected: set SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY, or name the proxy ' +
        'that holds the certificate in SKILLDOCK_TRUST_PROXY',
    )
  }
  if (settings.publicUrl === null) {
    reasons.push('others need an address to reach it by: set SKILLDOCK_PUBLIC_URL')
  }
  if (reasons.length === 0) return
  throw new ConfigError(
    `The registry does not listen on ${settings.host} yet:\n${reasons.map((reason) => `  ${reason}`).join('\n')}`,
  )
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

/** What decides where the desk is shown. */
export interface WindowEnvironment {
  /** SKILLDOCK_NO_ELECTRON=1. */
  noElectron: boolean
  /** ELECTRON_OVERRIDE_DIST_PATH: a folder with Electron's program in place of the package's own. */
  electronFolder: string | null
  /** Whether this session can show a window. */
  hasDisplay: boolean
}

export function readWindowEnvironment(environment: Environment = process.env): WindowEnvironment {
  const isSet = (name: string): boolean => given(environment, name) !== null
  return {
    noElectron: (given(environment, 'SKILLDOCK_NO_ELECTRON') ?? '0') !== '0',
    electronFolder: given(environment, 'ELECTRON_OVERRIDE_DIST_PATH'),
    hasDisplay:
      process.platform === 'linux' ? isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') : !isSet('SSH_CONNECTION'),
  }
}

/** This process's environment with some variables changed, for a program that is started. */
export function environmentWith(changes: Record<string, string>): Environment {
  return { ...process.env, ...changes }
}
