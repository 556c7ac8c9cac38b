/** Sentences about scheduled backups. */
export const texts = {
  folderNotUsable: (folder: string, code: string) =>
    `The folder ${folder} cannot be used (${code}). Choose another backup folder in the settings.`,
  diskFull: (folder: string) =>
    `The disk with ${folder} is full. Free some space, or choose another backup folder in the settings.`,
  problems: (count: number, first: string) =>
    `The restored copy has ${count === 1 ? 'an error' : `${count} errors, the first of which is`}: ${first}`,
  processEnded: 'The backup process stopped before it had finished. Try again.',
  failed: (reason: string) => `The last backup failed. ${reason}`,
  overdue: 'The last tested backup is older than the schedule allows. Check the log, and back up now.',
  none: 'There is no tested backup. Check the log, and back up now.',
} as const
