const checkFolder = 'Check that the data folder exists, is writable and is not full.'

/** The sentences of the health checks, and of errors about event streams. */
export const texts = {
  noStream: 'This desk has no open event stream. Open one with the id of this desk first.',
  noUploads: 'Uploads are temporarily unavailable; nothing was changed. Try again later.',

  checks: {
    databaseWrite: (why: string) => `The database cannot be written (${why}). ${checkFolder}`,
    storageWrite: (why: string) => `Files cannot be stored (${why}). ${checkFolder}`,
    freeSpace: (why: string) => `The free disk space could not be determined (${why}). ${checkFolder}`,
    helperProcesses: (why: string) =>
      `The helper processes that check uploads could not be started (${why}). Restart the server.`,
    littleSpace: (free: string, needed: string) =>
      `The disk with the data folder has only ${free} free, but ${needed} is needed. Free up some space.`,
    unknownReason: 'unknown reason',
    slow: (seconds: number) =>
      `The check did not finish within ${seconds} s. Check for a disk or process that hangs.`,
  },
} as const
