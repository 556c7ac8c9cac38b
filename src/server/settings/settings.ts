import { z } from 'zod'
import { externalIssuersSchema } from '../../shared/contracts/issuers.ts'
import { isLoopback, settingKeys, settingDeclarations, settingSchemas } from '../../shared/settings.ts'
import type { DeclaredSetting, SettingKey } from '../../shared/settings.ts'
import { toIssues } from '../../shared/validation.ts'

/** What can be set, in the environment or in `settings.json` of the data folder. */
const settingsSchema = z.strictObject({
  ...settingSchemas,
  /** OpenID Connect providers, in `settings.json` only: no variable could hold them readably. */
  issuers: externalIssuersSchema.default([]),
})

export type Settings = z.output<typeof settingsSchema>

/** What a value is before it is checked. */
export type RawSettings = Record<string, unknown>
export type Environment = Record<string, string | undefined>

/** The variable that wins over a setting of the file; null where there is none. */
export function variableOf(key: string): string | null {
  return key in settingDeclarations ? settingDeclarations[key as SettingKey].variable : null
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
  for (const key of settingKeys) {
    const { variable, kind }: DeclaredSetting = settingDeclarations[key]
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
