/** Exit codes of every command; scripts rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  inUse: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Their descriptions in the help. */
export const exitCodeMeanings: Record<ExitCode, string> = {
  [exitCodes.done]: 'success',
  [exitCodes.failed]: 'refused or failed; the message says why',
  [exitCodes.usage]: 'invalid command line or setting',
  [exitCodes.noServer]: 'no server is running, but the command needs one',
  [exitCodes.inUse]: 'a port or the data folder is in use by another program',
}

/** An invalid command line; shown with a pointer to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
