import { maxPersonNameCharacters } from '../../../shared/contracts/people.ts'
import type { DeskSetting, SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import type { SettingKey } from '../../../shared/settings.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'
import { texts } from './session.texts.ts'

const { missing } = texts.firstRun.reach

export const reaches = ['this computer', 'local network', 'proxy'] as const
export type Reach = (typeof reaches)[number]

/** What the first-run page asks for in addition to the name. */
export interface FirstSettings {
  reach: Reach
  tlsCert: string
  tlsKey: string
  publicUrl: string
  proxy: string
  port: string
  workspace: string
}

const noAddress = { tlsCert: '', tlsKey: '', publicUrl: '', proxy: '127.0.0.1' }

/** The initial values of the fields. */
export function firstSettings(settings: readonly DeskSetting[]): FirstSettings {
  return {
    ...noAddress,
    reach: 'this computer',
    port: String(valueOf(settings, 'port') ?? ''),
    workspace: String(valueOf(settings, 'workspace') ?? ''),
  }
}

/** The URL at which colleagues on the local network would reach this computer. */
export function localAddress(hostName: string, port: string): string {
  return `https://${hostName.toLowerCase()}:${port.trim()}`
}

/** The fields after a change. An address that was derived from the port follows it. */
export function withChange(
  fields: FirstSettings,
  part: Partial<FirstSettings>,
  hostName: string,
): FirstSettings {
  const next = { ...fields, ...part }
  const derived = localAddress(hostName, fields.port)
  if (part.port === undefined || fields.publicUrl !== derived) return next
  return { ...next, publicUrl: localAddress(hostName, part.port) }
}

/** The environment variable that sets a setting; null if it can be chosen here. */
export function fixedBy(settings: readonly DeskSetting[], key: SettingKey): string | null {
  const setting = settings.find((one) => one.key === key)
  return setting?.source === 'environment' ? setting.variable : null
}

const everyAddress = '0.0.0.0'

/** The settings that the page would change, without those that are unchanged or set by the environment. */
export function firstChanges(fields: FirstSettings, settings: readonly DeskSetting[]): SettingChanges {
  const text = (value: string): string | null => (value.trim() === '' ? null : value.trim())
  const port = text(fields.port)
  const chosen: SettingChanges = {
    port: port !== null && /^\d{1,5}$/.test(port) ? Number(port) : port,
    workspace: text(fields.workspace),
    ...reachChanges(fields, text),
  }
  const changed = settings.filter(
    ({ key, value, source, default: defaultValue }) =>
      source !== 'environment' &&
      key in chosen &&
      JSON.stringify(chosen[key] ?? defaultValue) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed.map(({ key }) => [key, chosen[key] ?? null]))
}

function reachChanges(fields: FirstSettings, text: (value: string) => string | null): SettingChanges {
  const { reach, tlsCert, tlsKey, publicUrl, proxy } = fields
  const none = { host: null, tlsCert: null, tlsKey: null, publicUrl: null, trustProxy: null }
  if (reach === 'this computer') return none
  const address = { ...none, publicUrl: text(publicUrl) }
  if (reach === 'local network') {
    return { ...address, host: everyAddress, tlsCert: text(tlsCert), tlsKey: text(tlsKey) }
  }
  const proxies = proxy.split(/[\s,]+/).filter((part) => part !== '')
  // A proxy on this computer can use the loopback address.
  const isHere = proxies.every((one) => one === '127.0.0.1' || one === '::1')
  return { ...address, host: isHere ? null : everyAddress, trustProxy: proxies }
}

/** What is still missing for the chosen option; null if nothing is. */
export function missingField({ reach, tlsCert, tlsKey, publicUrl, proxy }: FirstSettings): string | null {
  if (reach === 'this computer') return null
  const empty = (value: string): boolean => isBlank(value)
  if (reach === 'local network' && (empty(tlsCert) || empty(tlsKey))) {
    return missing.certificate
  }
  if (reach === 'proxy' && empty(proxy)) return missing.proxy
  return empty(publicUrl) ? missing.address : null
}

/** Why a name is too long; null if it is not. */
export function longName(name: string): string | null {
  const length = countCodePoints(name.trim())
  return length > maxPersonNameCharacters
    ? texts.firstRun.name.tooLong(length, maxPersonNameCharacters)
    : null
}

function valueOf(settings: readonly DeskSetting[], key: SettingKey): DeskSetting['value'] {
  return settings.find((one) => one.key === key)?.value ?? null
}
