import type { IncomingMessage } from 'node:http'
import proxyAddress, { compile as createTrust } from 'proxy-addr'

/** Tells the client's address; undefined once the client has disconnected. */
export type ClientOf = (req: IncomingMessage) => string | undefined

export const connectionAddress: ClientOf = (req) => req.socket.remoteAddress

/** Reads the client's address from `X-Forwarded-For` as far as it was written by trusted proxies. */
export function createClientOf(trustedProxies: () => readonly string[]): ClientOf {
  let compiledFrom: readonly string[] = []
  let isTrusted = createTrust([])
  return (req) => {
    const proxies = trustedProxies()
    if (proxies.length === 0) return connectionAddress(req)
    if (proxies !== compiledFrom) {
      isTrusted = createTrust([...proxies])
      compiledFrom = proxies
    }
    return proxyAddress(req, isTrusted)
  }
}
