/** Runs tasks, at most `atOnce` at a time. */
export interface Slots {
  /** Resolves to null if `maxWaiting` tasks wait already. A task whose signal is aborted while it waits does not start. */
  run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T | null>
}

export function createSlots(atOnce: number, maxWaiting: number): Slots {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(signal, task) {
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
