/** What the exit status of every command means; the help text shows it. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  inUse: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Words of a command line that are off; shown with the way to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
