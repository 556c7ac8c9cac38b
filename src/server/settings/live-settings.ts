import { existsSync, readFileSync } from 'node:fs'
import { removeFile, replaceFile } from '../../files/durable-files.ts'
import type { DeskSetting, DeskSettings, SettingChanges } from '../../shared/contracts/desk-settings.ts'
import { DomainError } from '../../shared/errors.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { settingKeys, settingDeclarations } from '../../shared/settings.ts'
import type { SettingKey } from '../../shared/settings.ts'
import { summarize } from '../../shared/validation.ts'
import { ConfigError } from './config-error.ts'
import { readSettingsFile } from './config.ts'
import type { Config, Environment } from './config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { CertificateError } from '../http/certificate.ts'
import { HostError, PortError } from '../http/open-port.ts'
import type { ListenAddress } from '../http/open-port.ts'
import { findConflicts } from './setting-conflicts.ts'
import { defaultSettings, given, resolveSettings, variableOf } from './settings.ts'
import type { RawSettings, Settings } from './settings.ts'
import { texts } from './settings.texts.ts'

interface LiveSettingsParts {
  /** The configuration at the start of the services. */
  config: Config
  environment: Environment
  /** Throws DATABASE_UNAVAILABLE while the data folder must not be written to. */
  assertWritable(): void
  /** Logs the changes and calls `write`; throws what `write` throws, and then logs nothing. */
  record(changes: SettingChanges, write: () => void): Promise<void>
  /** Moves the registry to another address. If that fails, throws and leaves it at the former one. */
  moveRegistry(address: ListenAddress, former: ListenAddress): Promise<void>
}

export interface LiveSettings {
  /** The current values; read them each time, since they change. */
  readonly config: Readonly<Config>
  describe(): DeskSettings
  /** Validates changes without applying them. */
  check(changes: SettingChanges): ErrorIssue[]
  /** The address of the registry with these changes, or its current address if they are invalid. */
  addressWith(changes: SettingChanges): ListenAddress
  /**
   * Writes changes to `settings.json` and applies them. If it throws VALIDATION_FAILED, PORT_TAKEN,
   * STORAGE_UNAVAILABLE or DATABASE_UNAVAILABLE, nothing has changed.
   */
  save(changes: SettingChanges): Promise<void>
  /** Calls the listener after each change. */
  onChange(listener: () => void): void
}

/** The single owner of the settings: other code reads values from here each time it needs them. */
export function createLiveSettings(parts: LiveSettingsParts): LiveSettings {
  const { environment, moveRegistry } = parts
  const config: Config = { ...parts.config }
  const file = dataPaths(config.dataFolder).settings
  const listeners: (() => void)[] = []
  /** The values of file and environment at the time when each was applied. */
  const applied: Settings = { ...parts.config, ...resolve(readFile()) }
  let saving: Promise<unknown> = Promise.resolve()

  function readFile(): RawSettings {
    try {
      return readSettingsFile(config.dataFolder)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      throw new DomainError('STORAGE_UNAVAILABLE', texts.unreadableFile, { cause: error })
    }
  }

  function resolve(raw: RawSettings): Settings | null {
    const result = resolveSettings(raw, environment)
    return result.success ? result.settings : null
  }

  const variableOver = (key: SettingKey): string | null => {
    const variable = variableOf(key)
    return variable !== null && given(environment, variable) !== null ? variable : null
  }

  /** The file with the changes, and its problems. */
  const plan = (
    changes: SettingChanges,
  ): { raw: RawSettings; next: Settings | null; issues: ErrorIssue[] } => {
    const raw: RawSettings = { ...readFile() }
    const issues: ErrorIssue[] = []
    for (const [key, value] of Object.entries(changes) as [SettingKey, unknown][]) {
      const variable = variableOver(key)
      if (variable !== null) {
        issues.push({ path: key, message: texts.issues.inEnvironment(variable) })
      }
      if (value === null) delete raw[key]
      else raw[key] = value
    }
    const result = resolveSettings(raw, environment)
    if (!result.success) return { raw, next: null, issues: [...issues, ...result.issues] }
    return { raw, next: result.settings, issues: [...issues, ...findConflicts(result.settings, config)] }
  }

  const apply = (next: Settings, keys: readonly SettingKey[]): void => {
    const now = keys.filter((key) => settingDeclarations[key].takesEffect !== 'restart')
    const values = Object.fromEntries(now.map((key) => [key, next[key]]))
    Object.assign(config, values)
    Object.assign(applied, values)
    for (const listener of listeners) listener()
  }

  /** The address after changing these keys only, whatever else differs in the file. */
  const addressAfter = (next: Settings, keys: readonly SettingKey[]): ListenAddress =>
    listenAddressOf({ ...config, ...Object.fromEntries(keys.map((key) => [key, next[key]])) })

  /** Replaces the file, or removes it for null. */
  const write = (contents: string | Buffer | null): void => {
    try {
      if (contents === null) removeFile(file)
      else replaceFile(file, contents)
    } catch (error) {
      throw cannotWrite(error)
    }
  }

  /** Writes the file and the log, or neither. */
  const writeAndRecord = async (changes: SettingChanges, raw: RawSettings): Promise<void> => {
    const before = existsSync(file) ? readFileSync(file) : null
    let isWritten = false
    try {
      await parts.record(changes, () => {
        write(`${JSON.stringify(raw, null, 2)}\n`)
        isWritten = true
      })
    } catch (error) {
      // The log could not be committed, for example because the disk is full.
      if (isWritten) write(before)
      throw error
    }
  }

  const saveNow = async (changes: SettingChanges): Promise<void> => {
    parts.assertWritable()
    const { raw, next, issues } = plan(changes)
    if (next === null || issues.length > 0) throw refused(issues)
    const keys = Object.keys(changes) as SettingKey[]
    const former = listenAddressOf(config)
    const address = addressAfter(next, keys)
    const isMoving = keys.some(
      (key) => settingDeclarations[key].takesEffect === 'listener' && next[key] !== config[key],
    )
    if (isMoving) {
      await moveRegistry(address, former).catch((error: unknown) => Promise.reject(explain(error)))
    }
    try {
      await writeAndRecord(changes, raw)
    } catch (error) {
      if (isMoving) await moveRegistry(former, address)
      throw error
    }
    apply(next, keys)
  }

  const describeOne = (key: SettingKey, raw: RawSettings, resolved: Settings | null): DeskSetting => {
    const waits = resolved !== null && !isSame(resolved[key], applied[key])
    const inFile = raw[key] === undefined ? ('default' as const) : ('file' as const)
    return {
      key,
      value: config[key],
      default: defaultSettings[key],
      source: variableOver(key) === null ? inFile : 'environment',
      variable: variableOf(key),
      takesEffect: settingDeclarations[key].takesEffect,
      ...(waits ? { waiting: resolved[key] } : {}),
    }
  }

  return {
    config,

    describe() {
      const raw = readFile()
      const resolved = resolve(raw)
      return { file, items: settingKeys.map((key) => describeOne(key, raw, resolved)) }
    },

    check: (changes) => plan(changes).issues,
    addressWith(changes) {
      const { next } = plan(changes)
      return next === null
        ? listenAddressOf(config)
        : addressAfter(next, Object.keys(changes) as SettingKey[])
    },

    save(changes) {
      const done = saving.then(() => saveNow(changes))
      saving = done.catch(() => {})
      return done
    },

    onChange: (listener) => void listeners.push(listener),
  }
}

export function listenAddressOf({ host, port, tlsCert, tlsKey }: Settings): ListenAddress {
  return { host, port, tls: tlsCert === null || tlsKey === null ? null : { cert: tlsCert, key: tlsKey } }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export function refused(issues: ErrorIssue[]): DomainError {
  return new DomainError('VALIDATION_FAILED', texts.invalid(summarize(issues)), { issues })
}

function explain(error: unknown): unknown {
  if (error instanceof HostError) return refused([{ path: 'host', message: texts.issues.otherHost }])
  if (error instanceof PortError) return new DomainError('PORT_TAKEN', error.message, { cause: error })
  if (error instanceof CertificateError) {
    return refused([{ path: error.part === 'cert' ? 'tlsCert' : 'tlsKey', message: error.reason }])
  }
  return error
}

function cannotWrite(error: unknown): DomainError {
  return new DomainError('STORAGE_UNAVAILABLE', texts.unwritableFile, { cause: error })
}
