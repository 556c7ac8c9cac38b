import { http, https } from '../operations/node-http.ts'

/** The answer of a registry's public address to a health request. */
interface PublicAnswer {
  at: string
  /** Null if there was no answer. */
  status: number | null
  /** The system's error code if there was no answer, else null. */
  reason: string | null
}

const maxAgeMs = 10_000
const timeoutMs = 5000

/** Checks from this computer whether the registry answers at its public address, such as that of a proxy. */
export function createPublicProbe(onAnswer: (address: string, answer: PublicAnswer) => void) {
  const ending = new AbortController()
  let lastProbe: { address: string; at: number } | null = null
  let last: { address: string; answer: PublicAnswer } | null = null

  const ask = async (address: string): Promise<void> => {
    const answer = await askOnce(address, ending.signal)
    if (ending.signal.aborted || lastProbe?.address !== address) return
    const isNew =
      last?.address !== address ||
      last.answer.status !== answer.status ||
      last.answer.reason !== answer.reason
    last = { address, answer }
    if (isNew) onAnswer(address, answer)
  }

  return {
    /**
     * The latest answer of the address; null before the first one. Starts a new request if the latest is old, without
     * waiting for it. No requests are sent unless this is called.
     */
    read(address: string): PublicAnswer | null {
      const now = performance.now()
      if (!ending.signal.aborted && (lastProbe?.address !== address || now - lastProbe.at >= maxAgeMs)) {
        lastProbe = { address, at: now }
        void ask(address)
      }
      return last?.address === address ? last.answer : null
    },
    end: (): void => ending.abort(),
  }
}

function askOnce(address: string, ending: AbortSignal): Promise<PublicAnswer> {
  const ask = address.startsWith('https:') ? https.request : http.request
  return new Promise((resolve) => {
    const done = (status: number | null, reason: string | null): void =>
      resolve({ at: new Date().toISOString(), status, reason })
    const asking = ask(`${address}/api/health`, {
      agent: false,
      signal: AbortSignal.any([ending, AbortSignal.timeout(timeoutMs)]),
    })
    asking.once('response', (response) => {
      done(response.statusCode ?? null, null)
      // The body doesn't matter.
      response.destroy()
    })
    asking.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : 'unknown'
      done(null, code === 'ABORT_ERR' ? 'ETIMEDOUT' : code)
    })
    asking.end()
  })
}
