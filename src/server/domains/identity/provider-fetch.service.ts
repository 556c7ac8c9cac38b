import { once } from 'node:events'
import { lookup as lookUp } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { Readable } from 'node:stream'
import { PrivateAddressError, hostOf, isPrivateUrl, onlyPublic } from '../../operations/public-address.ts'
import { texts } from './identity.texts.ts'

/** Milliseconds within which a provider's complete response must arrive. */
export const providerTimeoutMs = 5000
/** Size limit for a provider's response, decompressed. */
export const maxProviderBytes = 262_144

type ProviderProblem = 'unreachable' | 'slow' | 'redirect' | 'status' | 'too large' | 'not JSON' | 'not keys'

/** A problem with a provider's response. The message continues a sentence that starts with "the provider". */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly problem: ProviderProblem

  constructor(problem: ProviderProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.problem = problem
  }
}

export interface ProviderAnswer {
  value: unknown
  /** The `Date` header of the response. */
  date: string | null
}

/** Sends a GET request, whose redirects are not followed. */
export type ProviderFetch = (
  url: string,
  options: { headers: Headers; signal: AbortSignal; redirect: 'manual' },
) => Promise<Response>

/** For addresses that people other than administrators have entered: HTTPS only, and only public addresses are connected to. */
export function createPublicFetch(resolve: typeof lookUp = lookUp): ProviderFetch {
  return async (address, { headers, signal }) => {
    const url = new URL(address)
    if (url.protocol !== 'https:' || isPrivateUrl(url)) throw new PrivateAddressError(address, hostOf(url))
    // No connection is reused, so that each one is checked.
    const options = {
      agent: false,
      lookup: onlyPublic(resolve),
      headers: Object.fromEntries(headers),
      signal,
    }
    const [answer] = (await once(get(url, options), 'response')) as [IncomingMessage]
    const { statusCode: status = 0, headers: received } = answer
    const shown = new Headers(
      ['content-type', 'location', 'date'].flatMap((name) =>
        typeof received[name] === 'string' ? [[name, received[name]] as [string, string]] : [],
      ),
    )
    if (status === 200)
      return new Response(Readable.toWeb(answer) as ReadableStream, { status, headers: shown })
    answer.destroy()
    return new Response(null, { status, headers: shown })
  }
}

/** Fetches a JSON document from a provider, within the limits above and without following redirects. */
export function fetchProviderJson(
  url: string,
  signal: AbortSignal = AbortSignal.timeout(providerTimeoutMs),
  headers = new Headers({ accept: 'application/json' }),
  send: ProviderFetch = fetch,
): Promise<ProviderAnswer> {
  return guarded(signal, async () => {
    const response = await send(url, { headers, signal, redirect: 'manual' })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw wrongStatus(response)
    }
    const bytes = await readBounded(response)
    return {
      value: parseJson(bytes, response.headers.get('content-type')),
      date: response.headers.get('date'),
    }
  })
}

/** Sends a request to a provider and reads the response, whatever its status, within the same limits. Throws ProviderError. */
export function fetchProvider(url: string, request: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(providerTimeoutMs)
  return guarded(signal, async () => {
    const response = await fetch(url, { ...request, signal, redirect: 'manual' })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw wrongStatus(response)
    }
    const bytes = await readBounded(response)
    const { status, headers } = response
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers })
  })
}

async function guarded<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (signal.aborted) {
      throw new ProviderError('slow', texts.provider.slow(providerTimeoutMs / 1000), error)
    }
    throw new ProviderError('unreachable', texts.provider.unreachable(reasonOf(error)), error)
  }
}

function wrongStatus(response: Response): ProviderError {
  const { status } = response
  if (status < 300 || status > 399) return new ProviderError('status', texts.provider.status(status))
  const target = response.headers.get('location')?.slice(0, 200)
  return new ProviderError('redirect', texts.provider.redirect(target))
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Throwing inside the loop also cancels the transfer.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxProviderBytes) {
      throw new ProviderError('too large', texts.provider.tooLarge(maxProviderBytes))
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer, contentType: string | null): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    const type = contentType?.split(';', 1)[0]?.trim().slice(0, 100)
    throw new ProviderError('not JSON', texts.provider.notJson(type), error)
  }
}

/** Node's fetch reports the reason as the cause: ECONNREFUSED, ENOTFOUND, an invalid certificate. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
