/** The sentences about modules that could not be checked; the checks themselves are in `src/shared`. */
export const texts = {
  invalid: 'The module is invalid.',
  tooLarge: 'The module is larger than 16 MiB.',
  tooSlow: (seconds: number) =>
    `The module took longer than ${seconds} s to check. Send a smaller or simpler one.`,
  crashed: 'The check of the module crashed twice; it may need too much memory. Send a simpler one.',
  missing: 'The file is missing.',
  otherDigest: 'The file does not match its digest.',
} as const
