import { ClientError } from '../client-error.ts'
import type { ErrorText } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { isLoopbackName } from '../../shared/network-address.ts'
import { trimEndCharacters } from '../../shared/trim-characters.ts'
import { texts } from './registry.texts.ts'

/** Whether the address is on this computer. */
export const isLoopback = (address: URL): boolean => isLoopbackName(address.hostname)

/**
 * Parses the address of a registry and removes trailing slashes. Plain HTTP is accepted on loopback only: elsewhere an
 * attacker on the network could read the token and change the module.
 */
export function readRegistryAddress(text: string): URL {
  const address = parse(text)
  if (address === null || !/^https?:$/.test(address.protocol) || address.hostname === '') {
    throw refused(texts.address.invalid(text))
  }
  if (address.username !== '' || address.password !== '') {
    throw refused(texts.address.credentials)
  }
  if (address.search !== '' || address.hash !== '') {
    throw refused(texts.address.query(text))
  }
  if (address.protocol === 'http:' && !isLoopback(address)) {
    throw refused(texts.address.plainHttp(address.host))
  }
  address.pathname = trimEndCharacters(address.pathname, '/')
  return address
}

/** An address as lock files, credentials and identity tokens have it: without a slash at its end. */
export const addressText = (address: URL): string => address.href.replace(/\/$/, '')

const refused = (text: ErrorText): ClientError =>
  new ClientError(exitCodes.usage, text, { code: 'REGISTRY_ADDRESS' })

// URL.parse is not available in Node 20.
const parse = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)
