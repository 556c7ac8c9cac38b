/** Runs tasks, at most `atOnce` at a time. */
export function createSlots(atOnce: number, maxWaiting: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    /** Resolves to null if `maxWaiting` tasks wait already. A task whose signal is aborted while it waits does not start. */
    async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T | null> {
      if (running < atOnce) running += 1
      else {
        if (waiting.length >= maxWaiting) return null
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      }
      try {
        signal.throwIfAborted()
        return await task()
      } finally {
        const startNext = waiting.shift()
        if (startNext === undefined) running -= 1
        else startNext()
      }
    },
  }
}
