import { setTimeout as delay } from 'node:timers/promises'

/** Asks until the answer is something, and gives it. Throws with `what` when that takes too long. */
export async function until<T>(
  what: string,
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  deadlineMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain until ${what}`)
    await delay(10)
  }
}
