import { setTimeout as delay } from 'node:timers/promises'

/**
 * Calls `ask` until it returns something, and returns that. Throws with `what` if it takes too long. The longer it waits,
 * the less often it asks: asking takes CPU time from what it waits for.
 */
export async function until<T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  deadlineMs = 30_000,
): Promise<T> {
  const start = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    const waited = performance.now() - start
    if (waited > deadlineMs) throw new Error(`Timed out after ${deadlineMs} ms, waiting until ${what}`)
    await delay(Math.min(Math.max(10, waited / 10), 250))
  }
}
