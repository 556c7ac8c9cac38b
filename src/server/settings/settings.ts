import { z } from 'zod'
import { externalIssuersSchema } from '../../shared/contracts/issuers.ts'
import { isLoopback, settingKeys, settingDeclarations, settingSchemas } from '../../shared/settings.ts'
import type { DeclaredSetting, SettingKey } from '../../shared/settings.ts'
import { toIssues } from '../../shared/validation.ts'

/** All settings, from the environment or from `settings.json` in the data folder. */
const settingsSchema = z.strictObject({
  ...settingSchemas,
  /** OpenID Connect providers, only in `settings.json`: they would be unreadable in a variable. */
  issuers: externalIssuersSchema.default([]),
})

export type Settings = z.output<typeof settingsSchema>

/** Settings before validation. */
export type RawSettings = Record<string, unknown>
export type Environment = Record<string, string | undefined>

/** The variable that overrides a setting of the file, or null. */
export function variableOf(key: string): string | null {
  return key in settingDeclarations ? settingDeclarations[key as SettingKey].variable : null
}

/** Settings of a file with dots in their names may also be written as objects: `{"review": {"selfApproval": …}}`. */
export function flattenSettings(raw: RawSettings): RawSettings {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([key, value]) =>
      isGroup(key) && typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, held]): [string, unknown] => [`${key}.${inner}`, held])
        : [[key, value]],
    ),
  )
}

const isGroup = (name: string): boolean => settingKeys.some((key) => key.startsWith(`${name}.`))

/** The value of a variable; an empty one counts as unset. */
export function given(environment: Environment, name: string): string | null {
  const value = environment[name]
  return value === undefined || value === '' ? null : value
}

type ResolvedSettings =
  | { success: true; settings: Settings }
  | { success: false; issues: { path: string; message: string }[] }

/** Merges the environment, the file and the defaults, in this order of precedence. */
export function resolveSettings(fromFile: RawSettings, environment: Environment): ResolvedSettings {
  const merged: RawSettings = { ...fromFile }
  for (const key of settingKeys) {
    const { variable, kind } = settingDeclarations[key]
    const value = variable === null ? null : given(environment, variable)
    if (value !== null) merged[key] = fromText(kind, value)
  }
  const result = settingsSchema.safeParse(merged, { reportInput: true })
  return result.success
    ? { success: true, settings: result.data }
    : { success: false, issues: toIssues(result.error) }
}

export const defaultSettings: Settings = settingsSchema.parse({})

function fromText(kind: DeclaredSetting['kind'], value: string): unknown {
  if (kind === 'number' || kind === 'port') return /^-?\d{1,16}$/.test(value) ? Number(value) : value
  if (kind === 'list') return value.split(',').map((item) => item.trim())
  return value
}

export type ReachProblem = 'incomplete certificate' | 'no HTTPS URL' | 'unencrypted' | 'no public URL'

/** Conflicts between settings that are valid on their own (rulings, "Beyond loopback"). */
export function findReachProblems(
  settings: Pick<Settings, 'host' | 'tlsCert' | 'tlsKey' | 'trustProxy' | 'publicUrl'>,
): ReachProblem[] {
  if ((settings.tlsCert === null) !== (settings.tlsKey === null)) return ['incomplete certificate']
  const problems: ReachProblem[] = []
  const isProxied = settings.trustProxy.length > 0
  if (settings.tlsCert !== null && !isProxied && settings.publicUrl?.startsWith('http:') === true) {
    problems.push('no HTTPS URL')
  }
  if (isLoopback(settings.host)) return problems
  if (settings.tlsCert === null && !isProxied) problems.push('unencrypted')
  if (settings.publicUrl === null) problems.push('no public URL')
  return problems
}

export type RemoteDeskProblem = 'unencrypted' | 'no HTTPS address'

/** What the remote desk is missing, if it is on (decision 024). */
export function findRemoteDeskProblems(settings: Settings): RemoteDeskProblem[] {
  if (settings['desk.remote'] === 'off') return []
  const problems: RemoteDeskProblem[] = []
  if (settings.tlsCert === null && settings.trustProxy.length === 0) problems.push('unencrypted')
  if (!isHttpsOrigin(settings.publicUrl)) problems.push('no HTTPS address')
  return problems
}

/** The desk's paths begin at the root of its host. */
const isHttpsOrigin = (url: string | null): boolean => {
  const parsed = url === null ? null : URL.parse(url)
  return parsed?.protocol === 'https:' && parsed.pathname === '/'
}

/** The address of the remote desk without `/desk/`; null while it is off. */
export function remoteDeskOf(settings: Pick<Settings, 'desk.remote' | 'publicUrl'>): string | null {
  return settings['desk.remote'] === 'on' ? settings.publicUrl : null
}
