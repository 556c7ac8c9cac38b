/** Milliseconds in which a provider's whole answer must be here. */
export const providerTimeoutMs = 5000
/** Of a provider's answer, decompressed. */
export const maxProviderBytes = 262_144

export type ProviderProblem =
  | 'unreachable'
  | 'slow'
  | 'redirect'
  | 'status'
  | 'too large'
  | 'not JSON'
  | 'not keys'

/** What is wrong with a provider's answer, in words that follow "The provider". */
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
  /** The provider's clock, where it tells the time. */
  date: string | null
}

/** Reads one JSON document of a provider, within the limits above and without following it elsewhere. */
export async function fetchProviderJson(
  url: string,
  signal: AbortSignal = AbortSignal.timeout(providerTimeoutMs),
  headers = new Headers({ accept: 'application/json' }),
): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw wrongStatus(response)
    }
    const bytes = await readBounded(response)
    return {
      value: parseJson(bytes, response.headers.get('content-type')),
      date: response.headers.get('date'),
    }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (signal.aborted) {
      throw new ProviderError('slow', `did not answer within ${providerTimeoutMs / 1000} s`, error)
    }
    throw new ProviderError('unreachable', `cannot be reached (${reasonOf(error)})`, error)
  }
}

function wrongStatus(response: Response): ProviderError {
  const { status } = response
  if (status < 300 || status > 399) return new ProviderError('status', `answered with the status ${status}`)
  const target = response.headers.get('location')?.slice(0, 200) ?? 'an unnamed address'
  return new ProviderError('redirect', `wants to redirect to ${target}`)
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop by throwing ends the transfer too.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxProviderBytes) {
      throw new ProviderError('too large', `answered with more than ${maxProviderBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer, contentType: string | null): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    const type = contentType?.split(';', 1)[0]?.trim().slice(0, 100) ?? 'no media type'
    throw new ProviderError('not JSON', `answered with something that is not JSON (${type})`, error)
  }
}

/** Node's fetch puts what has happened into the cause: ECONNREFUSED, ENOTFOUND, a bad certificate. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
