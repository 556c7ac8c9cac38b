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
