/** How every command ends, for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  inUse: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What the help says of each. */
export const exitCodeMeanings: Record<ExitCode, string> = {
  [exitCodes.done]: 'done',
  [exitCodes.failed]: 'refused or failed; the message says why',
  [exitCodes.usage]: 'the command line or a setting is not right',
  [exitCodes.noServer]: 'no server is running where one is needed',
  [exitCodes.inUse]: 'a port or the data folder is in use by another program',
}

/** Words of a command line that are off; shown with the way to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
