import { setTimeout as delay } from 'node:timers/promises'

/** Calls `ask` until it returns something, and returns that. Throws with `what` if it takes too long. */
export async function until<T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  deadlineMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline)
      throw new Error(`Timed out after ${deadlineMs} ms, waiting until ${what}`)
    await delay(10)
  }
}
