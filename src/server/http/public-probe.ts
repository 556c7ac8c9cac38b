import { http, https } from './node-http.ts'

/** What somebody gets who asks a registry's public address for its health. */
export interface PublicAnswer {
  at: string
  /** Null where nobody answered. */
  status: number | null
  /** The system's code where nobody answered; else null. */
  reason: string | null
}

export interface PublicProbe {
  /**
   * What the address answered last; null until it has. Asks again where that was a while ago, and does not wait for it.
   * Nothing is asked while nobody looks.
   */
  read(address: string): PublicAnswer | null
  end(): void
}

const askAgainMs = 10_000
const timeoutMs = 5000

/** Asks an address through which others reach the registry, such as that of a proxy, from this computer. */
export function createPublicProbe(onAnswer: (address: string, answer: PublicAnswer) => void): PublicProbe {
  const ending = new AbortController()
  let asked: { address: string; at: number } | null = null
  let last: { address: string; answer: PublicAnswer } | null = null

  const ask = async (address: string): Promise<void> => {
    const answer = await askOnce(address, ending.signal)
    if (ending.signal.aborted || asked?.address !== address) return
    const isNew =
      last?.address !== address ||
      last.answer.status !== answer.status ||
      last.answer.reason !== answer.reason
    last = { address, answer }
    if (isNew) onAnswer(address, answer)
  }

  return {
    read(address) {
      const now = performance.now()
      if (!ending.signal.aborted && (asked?.address !== address || now - asked.at >= askAgainMs)) {
        asked = { address, at: now }
        void ask(address)
      }
      return last?.address === address ? last.answer : null
    },
    end: () => ending.abort(),
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
      // What it says is of no interest, however long it is.
      response.destroy()
    })
    asking.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : 'unknown'
      done(null, code === 'ABORT_ERR' ? 'ETIMEDOUT' : code)
    })
    asking.end()
  })
}
