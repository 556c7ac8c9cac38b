import { OutboundError, requestOutside } from '../../outbound/outbound-request.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/outbound-request.ts'
import { texts } from './identity.texts.ts'

/** Milliseconds within which a provider's complete response must arrive. */
export const providerTimeoutMs = 5000
/** Size limit for a provider's response. */
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

/** Fetches a JSON document from a provider, within the limits above and without following redirects. */
export async function fetchProviderJson(
  url: string,
  headers = new Headers({ accept: 'application/json' }),
): Promise<ProviderAnswer> {
  const {
    status,
    headers: answered,
    body,
  } = await requestProvider(url, { headers }, (received) => received === 200)
  if (status !== 200) throw new ProviderError('status', texts.provider.status(status))
  return { value: parseJson(body, answered.get('content-type')), date: answered.get('date') }
}

/** Sends a request to a provider and reads the response, whatever its status, within the same limits. Throws ProviderError. */
export async function fetchProvider(
  url: string,
  request: Pick<OutboundRequest, 'method' | 'headers' | 'body'>,
): Promise<Response> {
  const { status, headers, body } = await requestProvider(url, request, () => true)
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers })
}

/** Identity providers come from the settings and are often in the local network. */
async function requestProvider(
  url: string,
  request: Pick<OutboundRequest, 'method' | 'headers' | 'body'>,
  isRead: (status: number) => boolean,
): Promise<OutboundAnswer> {
  const answer = await requestOutside(url, {
    ...request,
    mayBePrivate: true,
    limitMs: providerTimeoutMs,
    maxBytes: (status) => (isRead(status) ? maxProviderBytes : 0),
  }).catch((error: unknown) => {
    throw error instanceof OutboundError ? describe(error) : error
  })
  if (!answer.isComplete) throw new ProviderError('too large', texts.provider.tooLarge(maxProviderBytes))
  return answer
}

function describe({ problem, detail }: OutboundError): ProviderError {
  if (problem === 'slow') return new ProviderError('slow', texts.provider.slow(providerTimeoutMs / 1000))
  if (problem === 'redirect') return new ProviderError('redirect', texts.provider.redirect(detail))
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
