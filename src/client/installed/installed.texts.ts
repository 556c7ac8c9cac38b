const moreMemory = (mebibytes: number): string => `Set a higher limit, such as --memory ${mebibytes}`

/** Every text about installed skills, their lock file, and how a run ended. */
export const texts = {
  busy: (folder: string, lock: string) => ({
    sentence: `Another skill process is using ${folder}.`,
    next: `Wait until it has finished. If none is running, delete ${lock}.`,
  }),
  isLink: (path: string) => ({
    sentence: `${path} is a symbolic link, so nothing was written to it.`,
    next: 'Remove the link, then install again.',
  }),
  lockDamaged: (file: string) => ({
    sentence: `${file} is not a valid lock file.`,
    next: 'Restore it from version control, or update skill if a newer version wrote it. Otherwise, delete it and install the skills again.',
  }),
  noLock: (file: string) => ({
    sentence: `No ${file} in this folder or its parents.`,
    next: 'To create one, install a skill by name: skill install NAME',
  }),
  notListed: (file: string, name: string) => ({
    sentence: `${file} does not list ${name}.`,
    next: 'To see the installed skills, run: skill list',
  }),

  runEnd: {
    trapped: (name: string, reason: string) => ({ sentence: `${name} trapped: ${reason}.`, next: null }),
    timeLimit: (name: string, seconds: number, higher: number | null) => ({
      sentence: `${name} was stopped at its time limit of ${seconds} s.`,
      next: higher === null ? null : `Set a higher limit, such as --timeout ${higher}s`,
    }),
    memoryLimit: (name: string, limit: string, higher: number | null) => ({
      sentence: `${name} exceeded its memory limit of ${limit}.`,
      next: higher === null ? null : moreMemory(higher),
    }),
    outputLimit: (name: string, limit: string, stream: string) => ({
      sentence: `${name} was stopped: it wrote more than ${limit} to ${stream}.`,
      next: 'Set a higher limit with --output MIB (at most 64)',
    }),
    notRun: (name: string, reason: string, higher: number | null) => ({
      sentence: `${name} was not run. ${reason}`,
      next: higher === null ? null : moreMemory(higher),
    }),
  },
} as const
