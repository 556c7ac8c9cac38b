/** Background work that repeats until `end`. */
export interface RecurringTask {
  start(): void
  /** Waits for the current run. */
  end(): Promise<void>
}

/** Runs `work`, which must not throw, after `firstMs` and then always `everyMs` milliseconds after it ended. */
export function createRecurringTask(
  work: () => Promise<void>,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
): RecurringTask {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const plan = (afterMs: number): void => {
    timer = setTimeout(() => {
      running = work().finally(() => timer !== undefined && plan(everyMs))
    }, afterMs).unref()
  }
  return {
    start() {
      if (timer === undefined) plan(firstMs)
    },
    async end() {
      clearTimeout(timer)
      timer = undefined
      await running
    },
  }
}
