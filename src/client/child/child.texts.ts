/** Why a child process failed, or a module could not be checked. */
export const texts = {
  notStarted: (reason: string) => `The child process could not be started: ${reason}.`,
  notReady: 'The child process did not become ready in time.',
  ended: (signal: string | null, code: number | null) =>
    `The child process ${signal === null ? `exited with code ${code}` : `was terminated by ${signal}`}.`,
  outOfMemory: 'The child process ran out of memory.',
  tooMuchData: 'The child process sent too much data.',
  invalidData: 'The child process sent invalid data.',
  tooLarge: 'The module is larger than 16 MiB.',
  tooSlow: (seconds: number) =>
    `Checking the module took longer than ${seconds} s. Use a smaller or simpler one.`,
  notChecked: (reason: string) => `The module could not be checked. ${reason}`,
} as const
