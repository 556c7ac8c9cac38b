import { lookup } from 'node:dns'
import { OutboundError, requestOutside } from '../../outbound/outbound-request.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/outbound-request.ts'
import { texts } from './identity.texts.ts'

/** Milliseconds within which a provider's complete response must arrive. */
export const providerTimeoutMs = 5000
/** Size limit for a provider's response. */
const maxProviderBytes = 262_144

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

interface ProviderAnswer {
  value: unknown
  /** The `Date` header of the response. */
  date: string | null
}

/** Fetches a JSON document, within the limits above and without following redirects. Throws ProviderError. */
export type FetchJson = (url: string, headers?: Headers) => Promise<ProviderAnswer>

/** For identity providers, which come from the settings and are often in the local network. */
export const fetchProviderJson: FetchJson = (url, headers) => fetchJson(url, { headers, mayBePrivate: true })

/**
 * For addresses that people other than administrators have entered: HTTPS only, and only public addresses are connected
 * to. `resolve` is replaced in tests.
 */
export function createPublicFetch(resolve: OutboundRequest['resolve'] = lookup): FetchJson {
  return (url, headers) => fetchJson(url, { headers, mayBePrivate: false, resolve })
}

type ProviderRequest = Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'mayBePrivate' | 'resolve'>

async function fetchJson(
  url: string,
  { headers = new Headers({ accept: 'application/json' }), ...request }: ProviderRequest,
): Promise<ProviderAnswer> {
  const answer = await requestProvider(url, { ...request, headers }, (status) => status === 200)
  if (answer.status !== 200) throw new ProviderError('status', texts.provider.status(answer.status))
  const { body, headers: answered } = answer
  return { value: parseJson(body, answered.get('content-type')), date: answered.get('date') }
}

/** Sends a request to a provider and reads the response, whatever its status, within the same limits. Throws ProviderError. */
export async function fetchProvider(
  url: string,
  request: Pick<OutboundRequest, 'method' | 'headers' | 'body'>,
): Promise<Response> {
  const { status, headers, body } = await requestProvider(url, { ...request, mayBePrivate: true }, () => true)
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers })
}

async function requestProvider(
  url: string,
  request: ProviderRequest,
  isRead: (status: number) => boolean,
): Promise<OutboundAnswer> {
  const answer = await requestOutside(url, {
    ...request,
    limitMs: providerTimeoutMs,
    maxBytes: (status) => (isRead(status) ? maxProviderBytes : 0),
  }).catch((error: unknown) => {
    throw error instanceof OutboundError ? describe(new URL(url).hostname, error) : error
  })
  if (!answer.isComplete) throw new ProviderError('too large', texts.provider.tooLarge(maxProviderBytes))
  return answer
}

function describe(host: string, { problem, detail }: OutboundError): ProviderError {
  if (problem === 'slow') return new ProviderError('slow', texts.provider.slow(providerTimeoutMs / 1000))
  if (problem === 'redirect') return new ProviderError('redirect', texts.provider.redirect(detail))
  if (problem === 'insecure') return new ProviderError('unreachable', texts.provider.insecure)
  if (problem === 'private') return new ProviderError('unreachable', texts.provider.private(host, detail))
  return new ProviderError('unreachable', texts.provider.unreachable(detail))
}

function parseJson(bytes: Buffer, contentType: string | null): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    const type = contentType?.split(';', 1)[0]?.trim().slice(0, 100)
    throw new ProviderError('not JSON', texts.provider.notJson(type), error)
  }
}
