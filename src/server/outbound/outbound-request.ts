import { lookup as lookUp } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { http, https } from '../operations/node-http.ts'
import { programVersion } from '../operations/version.ts'
import { isPublicAddress } from './public-address.ts'

export interface OutboundRequest {
  method?: string | undefined
  headers?: Headers | Record<string, string> | undefined
  body?: string | undefined
  /** Whether http:// and private addresses are allowed. */
  mayBePrivate: boolean
  /** Milliseconds from looking up the name to the last byte that is read. */
  limitMs: number
  /** How many bytes of the body are read, by the answer's status. */
  maxBytes: (status: number) => number
  /** Aborts the request, which then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Resolves host names, as `dns.lookup` does. */
  resolve?: typeof lookUp
}

export interface OutboundAnswer {
  status: number
  headers: Headers
  /** At most `maxBytes` of the body. */
  body: Buffer
  isComplete: boolean
}

type OutboundProblem = 'insecure' | 'private' | 'redirect' | 'slow' | 'unreachable'

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly problem: OutboundProblem
  /** The private address, the target of the redirect, or why there is no connection; otherwise empty. */
  readonly detail: string
  /** Of an answer that redirects. */
  readonly status: number | null

  constructor(problem: OutboundProblem, detail = '', status: number | null = null, cause?: unknown) {
    super(`${problem} ${detail}`, { cause })
    this.problem = problem
    this.detail = detail
    this.status = status
  }
}

/** Why a URL is refused where private addresses are not allowed, or null. Names are checked when they are resolved. */
export function refuseUrl({ protocol, hostname }: URL): OutboundError | null {
  if (protocol !== 'https:') return new OutboundError('insecure')
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isPublicAddress(host) ? new OutboundError('private', host) : null
}

/**
 * Sends a request to another server, within limits of time and size and without following redirects. Throws
 * OutboundError, or the reason of `signal`.
 */
export async function requestOutside(url: string, options: OutboundRequest): Promise<OutboundAnswer> {
  const target = new URL(url)
  const refused = options.mayBePrivate ? null : refuseUrl(target)
  if (refused !== null) throw refused
  const { signal, limitMs } = options
  const limit = AbortSignal.timeout(limitMs)
  try {
    const answer = await send(
      target,
      options,
      signal === undefined ? limit : AbortSignal.any([signal, limit]),
    )
    return await readAnswer(answer, options.maxBytes)
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) throw new OutboundError('slow', '', null, error)
    if (error instanceof OutboundError) throw error
    throw new OutboundError('unreachable', reasonOf(error), null, error)
  }
}

function send(
  url: URL,
  { method, headers, body, mayBePrivate, resolve = lookUp }: OutboundRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((fulfil, reject) => {
    const sent = request(
      url,
      {
        method: method ?? 'GET',
        // No connection is reused, so that each one is checked.
        agent: false,
        lookup: mayBePrivate ? resolve : onlyPublic(resolve),
        signal,
        headers: {
          'user-agent': `Skilldock/${programVersion}`,
          // Limits count the bytes of the connection.
          'accept-encoding': 'identity',
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...Object.fromEntries(new Headers(headers)),
        },
      },
      fulfil,
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * Resolves names for a connection, and refuses those with a private address. The connection uses this very answer, so
 * a name that resolves differently the next time (DNS rebinding) gains nothing.
 */
function onlyPublic(resolve: typeof lookUp): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error: Error | null, addresses: LookupAddress[]) => {
      const refused = addresses?.find(({ address }) => !isPublicAddress(address))
      if (error !== null) callback(error, [])
      else if (refused !== undefined) callback(new OutboundError('private', refused.address), [])
      else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

async function readAnswer(
  answer: IncomingMessage,
  maxBytes: OutboundRequest['maxBytes'],
): Promise<OutboundAnswer> {
  const status = answer.statusCode ?? 0
  const headers = new Headers(
    Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  )
  try {
    if (status >= 300 && status <= 399) {
      throw new OutboundError('redirect', headers.get('location')?.slice(0, 200), status)
    }
    const start = await readStart(answer, maxBytes(status))
    return { status, headers, ...start }
  } finally {
    answer.destroy()
  }
}

async function readStart(
  answer: IncomingMessage,
  limit: number,
): Promise<Pick<OutboundAnswer, 'body' | 'isComplete'>> {
  const chunks: Buffer[] = []
  let size = 0
  if (limit > 0) {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limit) break
    }
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), isComplete: size <= limit }
}

/** ECONNREFUSED, ENOTFOUND, an invalid certificate. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
