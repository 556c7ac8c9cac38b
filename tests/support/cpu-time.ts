/**
 * Runs `work` and returns how long this thread computed for it, in milliseconds. Unlike the clock it
 * does not count the time in which other work had the processor, so a test may hold it against a limit.
 */
export const cpuTimeOf = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * Runs `work` and returns the longest time for which this thread computed without a turn of its event loop, in
 * milliseconds of processor time. A server in this process keeps everybody waiting for that long.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  let before = process.threadCpuUsage()
  const measure = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }
  const turn = (): void => {
    measure()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  // An answer may arrive in the very turn that follows the work for it, before the immediate of that turn.
  measure()
  return longest
}

/**
 * The same, measured up to three times until it is below `limit`: garbage that earlier tests left on this thread may be
 * collected in any turn.
 */
export async function longestTurnBelow(
  limit: number,
  work: (attempt: number) => Promise<unknown>,
): Promise<number> {
  let least = Infinity
  for (let attempt = 0; attempt < 3 && least >= limit; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop
    least = Math.min(least, await longestTurnOf(() => work(attempt)))
  }
  return least
}
