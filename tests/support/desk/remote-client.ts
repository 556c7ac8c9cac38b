import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { signInCode } from './desk-client.ts'
import type { TestServer } from '../server/server.ts'

/** Settings of a server whose desk is served at this address by a proxy, whose part the tests play. */
export const remoteDeskSettings = (publicUrl: string) =>
  ({ 'desk.remote': 'on', publicUrl, trustProxy: ['127.0.0.1'] }) as const

export interface RemoteReply<T> {
  status: number
  headers: IncomingHttpHeaders
  body: T
}

/** A client of the remote desk, which keeps cookies and sends its origin. */
export interface RemoteClient {
  /** By name. */
  cookies: Map<string, string>
  /** `path` is relative to `/desk/api`. */
  send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<RemoteReply<T>>
}

export function remoteClient(server: Pick<TestServer, 'registry'>, publicUrl: string): RemoteClient {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const sent = request(`${server.registry}/desk/api${path}`, {
        method,
        headers: {
          host: new URL(publicUrl).host,
          origin: publicUrl,
          ...(cookies.size > 0 && { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      sent.end(body === undefined ? undefined : JSON.stringify(body))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      for (const cookie of response.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const answer = (await json(response)) as T
      return { status: response.statusCode ?? 0, headers: response.headers, body: answer }
    },
  }
}

/** Signs in to the remote desk with a link. */
export async function signInRemotely(
  server: Pick<TestServer, 'folder' | 'dashboard' | 'registry'>,
  publicUrl: string,
  subject: string,
): Promise<RemoteClient> {
  const client = remoteClient(server, publicUrl)
  const reply = await client.send('POST', '/session', { code: await signInCode(server, subject) })
  if (reply.status !== 200) throw new Error(`sign in: ${reply.status} ${JSON.stringify(reply.body)}`)
  return client
}
