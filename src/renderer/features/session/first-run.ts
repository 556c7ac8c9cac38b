import type { DeskSetting, SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import type { SettingKey } from '../../../shared/settings.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'

export const reaches = ['this computer', 'local network', 'proxy'] as const
export type Reach = (typeof reaches)[number]

/** What the first-run page asks for beside the name. */
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

/** What stands on the page before anything has been chosen. */
export function firstSettings(settings: readonly DeskSetting[]): FirstSettings {
  return {
    ...noAddress,
    reach: 'this computer',
    port: String(valueOf(settings, 'port') ?? ''),
    workspace: String(valueOf(settings, 'workspace') ?? ''),
  }
}

/** By which colleagues would know this computer. */
export function localAddress(hostName: string, port: string): string {
  return `https://${hostName.toLowerCase()}:${port.trim()}`
}

/** The fields after a change; an address that was made from the port goes with it. */
export function withChange(
  fields: FirstSettings,
  part: Partial<FirstSettings>,
  hostName: string,
): FirstSettings {
  const next = { ...fields, ...part }
  const made = localAddress(hostName, fields.port)
  if (part.port === undefined || fields.publicUrl !== made) return next
  return { ...next, publicUrl: localAddress(hostName, part.port) }
}

/** The name of the variable that fixes a setting; null where it can be chosen here. */
export function fixedBy(settings: readonly DeskSetting[], key: SettingKey): string | null {
  const setting = settings.find((one) => one.key === key)
  return setting?.source === 'environment' ? setting.variable : null
}

const everyAddress = '0.0.0.0'

/** The changes of settings that the page stands for; what is as it was, or is fixed, is left out. */
export function firstChanges(fields: FirstSettings, settings: readonly DeskSetting[]): SettingChanges {
  const text = (value: string): string | null => (value.trim() === '' ? null : value.trim())
  const port = text(fields.port)
  const wanted: SettingChanges = {
    port: port !== null && /^\d{1,5}$/.test(port) ? Number(port) : port,
    workspace: text(fields.workspace),
    ...reachChanges(fields, text),
  }
  const changed = settings.filter(
    ({ key, value, source, default: usual }) =>
      source !== 'environment' &&
      key in wanted &&
      JSON.stringify(wanted[key] ?? usual) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed.map(({ key }) => [key, wanted[key] ?? null]))
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
  // A proxy of this computer needs no other address than this computer's own.
  const isHere = proxies.every((one) => one === '127.0.0.1' || one === '::1')
  return { ...address, host: isHere ? null : everyAddress, trustProxy: proxies }
}

/** What the chosen way still needs; null where it can be sent. */
export function missingField({ reach, tlsCert, tlsKey, publicUrl, proxy }: FirstSettings): string | null {
  if (reach === 'this computer') return null
  const empty = (value: string): boolean => isBlank(value)
  if (reach === 'local network' && (empty(tlsCert) || empty(tlsKey))) {
    return 'The local network needs a certificate and its key.'
  }
  if (reach === 'proxy' && empty(proxy)) return 'Name the proxy.'
  return empty(publicUrl) ? 'Others need an address to reach the registry by.' : null
}

const maxName = 100

/** Why a name cannot be sent; null where it can. */
export function longName(name: string): string | null {
  const length = countCodePoints(name.trim())
  return length > maxName ? `The name has ${length} of ${maxName} characters.` : null
}

function valueOf(settings: readonly DeskSetting[], key: SettingKey): DeskSetting['value'] {
  return settings.find((one) => one.key === key)?.value ?? null
}
