import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findFreePort } from '../server/free-port.ts'
import { startTestRegistry } from '../server/registry.ts'
import type { TestRegistry } from '../server/registry.ts'
import { startCaddy } from '../server/reverse-proxy.ts'
import type { TestServerOptions } from '../server/server.ts'
import { signInCode } from './desk-client.ts'

const builtDesk = join(import.meta.dirname, '../../../out/renderer')

export interface RemoteReply<T> {
  status: number | undefined
  headers: IncomingHttpHeaders
  /** Parsed if it is JSON. */
  body: T
}

export interface RemoteRequest {
  headers?: Record<string, string>
  /** The `Origin`; null to send none. Otherwise that of the site is sent with each write. */
  origin?: string | null
  body?: unknown
  /** The client's address, such as 127.0.0.2 on Linux. */
  localAddress?: string
}

/** A browser at the remote desk: it keeps the cookie and sends the page's origin with each request. */
export interface RemoteBrowser {
  /** `NAME=VALUE`, or empty before signing in. */
  cookie: string
  /** `path` is that of the site. */
  send<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: RemoteRequest,
  ): Promise<RemoteReply<T>>
  /** The open response, for streams. */
  open(path: string): Promise<IncomingMessage>
}

/** A registry with the desk over the network, behind Caddy with the example file. */
export interface RemoteDesk extends TestRegistry {
  /** `https://127.0.0.1:PORT`, or another name of this computer. */
  site: string
  browser(): RemoteBrowser
  /** A browser in which this person is signed in. */
  signedIn(subject: string): Promise<RemoteBrowser>
}

export async function startRemoteDesk(
  options: TestServerOptions = {},
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
  port?: number,
): Promise<RemoteDesk> {
  const site = `https://${host}:${port ?? (await findFreePort())}`
  const app = await startTestRegistry({
    deskFolder: builtDesk,
    ...options,
    config: { 'desk.remote': 'on', publicUrl: site, trustProxy: ['127.0.0.1'], ...options.config },
  })
  const proxy = await startCaddy({ site, registry: app.registry })

  const browser = (): RemoteBrowser => {
    const ask = async (
      method: string,
      path: string,
      { headers, body, localAddress, origin = method === 'GET' ? null : site }: RemoteRequest,
    ): Promise<IncomingMessage> => {
      const sent = request(site + path, {
        ca: proxy.certificate,
        agent: false,
        method,
        ...(localAddress === undefined ? {} : { localAddress }),
        headers: {
          ...(own.cookie === '' ? {} : { cookie: own.cookie }),
          ...(origin === null ? {} : { origin }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      })
      const answered = once(sent, 'response')
      sent.end(body === undefined ? undefined : JSON.stringify(body))
      const [response] = (await answered) as [IncomingMessage]
      return response
    }
    const own: RemoteBrowser = {
      cookie: '',
      open: (path) => ask('GET', path, {}),
      async send<T>(method: string, path: string, sent: RemoteRequest = {}) {
        const response = await ask(method, path, sent)
        const received = await text(response)
        const [set] = response.headers['set-cookie'] ?? []
        if (set !== undefined) own.cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
        const isJson = response.headers['content-type']?.startsWith('application/json') === true
        return {
          status: response.statusCode,
          headers: response.headers,
          body: (isJson ? JSON.parse(received) : received) as T,
        }
      },
    }
    return own
  }

  return {
    ...app,
    site,
    browser,
    async signedIn(subject) {
      const own = browser()
      const reply = await own.send('POST', '/desk/api/session', {
        body: { code: await signInCode(app, subject) },
      })
      if (reply.status !== 200) throw new Error(`sign in: ${reply.status} ${JSON.stringify(reply.body)}`)
      return own
    },
    async stop() {
      await proxy.stop()
      await app.stop()
    },
  }
}
