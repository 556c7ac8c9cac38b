/** Exit codes of every command; scripts rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  inUse: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** No server is running on the data folder. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError'
}

/** An invalid command line; shown with a pointer to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
