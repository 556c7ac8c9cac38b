import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { settingOfPath } from '../../shared/settings.ts'
import {
  findReachProblems,
  findRemoteDeskProblems,
  flattenSettings,
  given,
  resolveSettings,
  variableOf,
} from './settings.ts'
import type { Environment, ReachProblem, RemoteDeskProblem, Settings } from './settings.ts'
import { ConfigError } from './config-error.ts'
import { readReplication, readStorageLocation } from './storage-location.ts'
import type { ReplicationSettings } from './storage-location.ts'
import type { BucketLocation } from '../storage/bucket.ts'
import { texts } from './settings.texts.ts'

export type { Environment } from './settings.ts'

export interface Config extends Settings {
  dataFolder: string
  /** Written when both services accept requests. */
  readyFile: string | null
  /** Where packages and images are kept; null for the data folder. */
  storage: BucketLocation | null
  /** How the database is kept in the same bucket; null if it is only in the data folder. */
  replication: ReplicationSettings | null
}

/**
 * Reads the environment and `settings.json` (rulings, "Environment"); the environment takes precedence. Throws a
 * ConfigError that lists every invalid value.
 */
export function readConfig(environment: Environment = process.env): Config {
  const dataFolder = findDataFolder(environment)
  const result = resolveSettings(readSettingsFile(dataFolder), environment)
  if (!result.success) throw new ConfigError(explain(result.issues, environment))
  assertWorkspace(result.settings, environment)
  assertReachable(result.settings)
  assertRemoteDesk(result.settings)
  return {
    ...result.settings,
    dataFolder,
    readyFile: findReadyFile(environment),
    storage: readStorageLocation(environment),
    replication: readReplication(environment),
  }
}

/** The contents of a data folder's `settings.json`. Throws a ConfigError if it is not a JSON object. */
export function readSettingsFile(dataFolder: string): Record<string, unknown> {
  return flattenSettings(readJsonObject(join(dataFolder, 'settings.json')))
}

/** The environment of this process, for later lookups. */
export function ownEnvironment(): Environment {
  return process.env
}

/** Whether a person may choose the data folder, because the environment doesn't set it. */
export function mayChooseDataFolder(environment: Environment = process.env): boolean {
  return given(environment, 'SKILLDOCK_DATA') === null
}

function findReadyFile(environment: Environment): string | null {
  const path = given(environment, 'SKILLDOCK_READY_FILE')
  if (path === null) return null
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true) return path
  throw new ConfigError(texts.start.noReadyFolder(JSON.stringify(path)))
}

/** Rulings, "Data folder": the environment, else `location.json`, else the system's default. */
export function findDataFolder(environment: Environment = process.env): string {
  const named = given(environment, 'SKILLDOCK_DATA')
  if (named !== null) return resolve(named)
  const location = join(configurationFolder(environment), 'location.json')
  const chosen = readJsonObject(location)['dataFolder']
  if (chosen === undefined) return defaultDataFolder(environment)
  if (typeof chosen === 'string' && isAbsolute(chosen)) return chosen
  throw new ConfigError(texts.start.relativeDataFolder(location))
}

/** The folder of `location.json`, which stores the person's choice of a data folder. */
export function configurationFolder(environment: Environment = process.env): string {
  const home = given(environment, 'HOME') ?? homedir()
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Skilldock Desk')
  if (process.platform === 'win32') {
    return join(given(environment, 'APPDATA') ?? join(home, 'AppData', 'Roaming'), 'Skilldock')
  }
  return join(given(environment, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'skilldock')
}

function defaultDataFolder(environment: Environment): string {
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
    const { code, message } = error as NodeJS.ErrnoException
    // A folder that cannot exist is reported when it is created.
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    throw new ConfigError(texts.start.unreadable(path, message), { cause: error })
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch (error) {
    throw new ConfigError(texts.start.noObject(path), { cause: error })
  }
}

function explain(issues: { path: string; message: string }[], environment: Environment): string {
  const lines = issues.map(({ path, message }) => {
    const variable = variableOf(settingOfPath(path) ?? path)
    const set = variable === null ? null : given(environment, variable)
    return variable === null || set === null
      ? texts.start.inFile(path, message)
      : texts.start.inEnvironment(variable, JSON.stringify(set.slice(0, 100)), message)
  })
  return texts.start.invalid(lines.map((line) => `  ${line}`).join('\n'))
}

/** A folder that does not exist yet, or that cannot be read now, is no reason not to start. */
function assertWorkspace({ workspace }: Settings, environment: Environment): void {
  if (workspace === null || !isFile(workspace)) return
  throw new ConfigError(explain([{ path: 'workspace', message: texts.issues.noFolder }], environment))
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}

const reachReasons: Record<Exclude<ReachProblem, 'incomplete certificate'>, string> = {
  'no HTTPS URL': texts.start.noHttpsUrl,
  unencrypted: texts.start.unencrypted,
  'no public URL': texts.start.noPublicUrl,
}

/** Rulings, "Beyond loopback". */
function assertReachable(settings: Settings): void {
  const reasons: string[] = []
  for (const problem of findReachProblems(settings)) {
    if (problem === 'incomplete certificate') {
      throw new ConfigError(texts.start.incompleteCertificate)
    }
    reasons.push(reachReasons[problem])
  }
  if (reasons.length === 0) return
  throw new ConfigError(
    texts.start.cannotListen(settings.host, reasons.map((reason) => `  ${reason}`).join('\n')),
  )
}

const remoteDeskReasons: Record<RemoteDeskProblem, string> = {
  unencrypted: texts.start.unencrypted,
  'no HTTPS address': texts.start.noHttpsAddress,
}

function assertRemoteDesk(settings: Settings): void {
  const reasons = findRemoteDeskProblems(settings).map((problem) => `  ${remoteDeskReasons[problem]}`)
  if (reasons.length > 0) throw new ConfigError(texts.start.noRemoteDesk(reasons.join('\n')))
}

/** Decides whether the desk opens in a window or in a browser. */
export interface WindowEnvironment {
  /** SKILLDOCK_NO_ELECTRON=1. */
  noElectron: boolean
  /** ELECTRON_OVERRIDE_DIST_PATH: a folder with the Electron executable, used instead of the package's own. */
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

/** This process's environment with changes, for a child process. */
export function environmentWith(changes: Record<string, string>): Environment {
  return { ...process.env, ...changes }
}
