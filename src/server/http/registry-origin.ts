import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../shared/errors.ts'

/** Where clients reach the registry. */
export interface RegistryAddress {
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

/**
 * Whether `Host` is a name of this registry. Any other name may be a DNS entry that a web page has rebound to this
 * address, so that the visitor's browser sends its requests here.
 */
export function isOwnHost(host: string | undefined, address: RegistryAddress): boolean {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return false
  return ownOrigins(address).some(
    ({ protocol, origin }) => URL.parse(`${protocol}//${host}`)?.origin === origin,
  )
}

/**
 * A browser names the page behind each write in `Origin`, and no page can change that. Only the registry's own pages
 * may write; programs send no `Origin`. Throws ORIGIN_FORBIDDEN.
 */
export function assertOwnOrigin({ method, headers }: IncomingMessage, address: RegistryAddress): void {
  const { origin } = headers
  if (origin === undefined || method === 'GET' || method === 'HEAD') return
  if (ownOrigins(address).some((own) => own.origin === origin.toLowerCase())) return
  throw new DomainError(
    'ORIGIN_FORBIDDEN',
    'Web pages of other sites may not send anything to this registry. If this page belongs to the registry, its ' +
      'administrator has to set SKILLDOCK_PUBLIC_URL to the address in your browser.',
  )
}
