/**
 * Runs `work` and returns the CPU time of this thread in milliseconds. Unlike elapsed time, it does not
 * include the time of other programs, so that a test can compare it with a limit.
 */
export const cpuTimeOf = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * Runs `work` and returns the longest CPU time of this thread without a turn of its event loop, in milliseconds.
 * A server in this process handles no other request during that time. Turns within the same millisecond count as one,
 * so that the measurement itself takes hardly any CPU time.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  const measure = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }
  const turn = (): void => {
    measure()
    timer = setTimeout(turn, 1)
  }
  let timer = setTimeout(turn, 1)
  await work()
  clearTimeout(timer)
  // The response may arrive in the turn right after the work, before the timer of that turn.
  measure()
  return longest
}

/**
 * The same, measured up to three times until a result is below `limit`, because the garbage of earlier tests on this thread
 * may be collected in any turn.
 */
export async function longestTurnBelow(
  limit: number,
  work: (attempt: number) => Promise<unknown>,
): Promise<number> {
  let least = Infinity
  for (let attempt = 0; attempt < 3 && least >= limit; attempt += 1) {
    least = Math.min(least, await longestTurnOf(() => work(attempt)))
  }
  return least
}
