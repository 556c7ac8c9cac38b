import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import { texts } from './http.texts.ts'

/** The addresses at which clients reach the registry. */
interface RegistryAddress {
  /** The listener's own address, such as `http://127.0.0.1:4280`. */
  listenerUrl: string
  publicUrl: string | null
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

/** The listener's address, the loopback names with its port, and the public address. */
function ownOrigins({ listenerUrl, publicUrl }: RegistryAddress): URL[] {
  const { protocol, port } = new URL(listenerUrl)
  const local = loopbackNames.map((name) => `${protocol}//${name}:${port}`)
  return [listenerUrl, ...local, ...(publicUrl === null ? [] : [publicUrl])].map((url) => new URL(url))
}

/** Whether `Host` names this origin. */
export function isHostOf({ protocol, origin }: URL, host = ''): boolean {
  return /^[\w.:[\]-]+$/.test(host) && URL.parse(`${protocol}//${host}`)?.origin === origin
}

/**
 * Whether `Host` belongs to this registry. Any other name may be a DNS entry that a website has rebound to this
 * address, so that a visitor's browser sends its requests here.
 */
export function isOwnHost(host: string | undefined, address: RegistryAddress): boolean {
  return ownOrigins(address).some((own) => isHostOf(own, host))
}

/**
 * Browsers send the page's origin with every write, and pages can't change it. Only the registry's own pages may write;
 * programs send no `Origin`. Throws ORIGIN_FORBIDDEN.
 */
export function assertOwnOrigin({ method, headers }: IncomingMessage, address: RegistryAddress): void {
  const { origin } = headers
  if (origin === undefined || method === 'GET' || method === 'HEAD') return
  if (ownOrigins(address).some((own) => own.origin === origin.toLowerCase())) return
  throw new DomainError('ORIGIN_FORBIDDEN', texts.access.otherOrigin)
}
