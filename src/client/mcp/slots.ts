/** Runs tasks, at most `atOnce` at a time. */
export function createSlots(atOnce: number, maxWaiting: number) {
  /** Starts a waiting task each, oldest first. */
  const waiting = new Set<() => void>()
  let running = 0
  const awaitTurn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start)
        reject(signal.reason)
      }
      const start = (): void => {
        waiting.delete(start)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(start)
      signal.addEventListener('abort', leave)
    })
  return {
    /** Resolves to null if `maxWaiting` tasks wait already. A task whose signal is aborted while it waits does not start. */
    async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T | null> {
      signal.throwIfAborted()
      if (running < atOnce) running += 1
      else if (waiting.size >= maxWaiting) return null
      else await awaitTurn(signal)
      try {
        return await task()
      } finally {
        const [startNext] = waiting
        if (startNext === undefined) running -= 1
        else startNext()
      }
    },
  }
}
