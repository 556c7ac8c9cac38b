import { countOf } from '../../shared/text.ts'

const otherFolder = 'Nothing was written. Choose another name, or run this in another folder.'

/** Every text about a project's files, its check, findings and examples, and the input of a run. */
export const texts = {
  noManifest: (file: string) => ({
    sentence: `${file} does not exist.`,
    next: "Pass your skill's folder, or its manifest with --manifest FILE. To create a new skill, run: skill init",
  }),
  noModule: (file: string) => ({
    sentence: `${file} does not exist.`,
    next: 'Build it first, or pass the module with --wasm FILE.',
  }),
  noName: (file: string) => ({
    sentence: `${file} has no valid "name", so its module cannot be found.`,
    next: 'Set "name" to lowercase words of letters and digits, separated by single hyphens, or pass the module with --wasm FILE.',
  }),

  newFolder: {
    notEmpty: (folder: string, entries: string, more: number) => ({
      sentence: `The folder ${folder} is not empty: it contains ${entries}${more > 0 ? ` and ${more} more` : ''}.`,
      next: otherFolder,
    }),
    notFolder: (path: string) => ({
      sentence: `${path} already exists and is not a folder.`,
      next: otherFolder,
    }),
  },

  input: {
    prompt: (keys: string) => `Type the input, then press ${keys} to end it.`,
    end: { windows: 'Ctrl+Z and Enter', others: 'Ctrl+D' },
    tooLarge: (limit: string) => ({
      sentence: `Standard input is larger than ${limit}, the limit for a run.`,
      next: 'Split the input into smaller parts.',
    }),
  },

  check: {
    checking: 'Checking the module',
    running: (example: number, count: number) => `Running example ${example} of ${count}`,
    titles: { manifest: 'Manifest', module: 'Module', findings: 'Findings', examples: 'Examples' },
    rejected: (problems: number) => `would be rejected: ${countOf(problems, 'problem')}`,
    valid: 'valid',
    module: (size: string, functions: number, imports: number, memory: string) =>
      `${size}, ${countOf(functions, 'function')}, ${imports} imported, ${memory} initial memory`,
    passed: (passed: number, count: number) => `${passed} of ${count} passed`,
  },

  example: {
    exit: (code: number) => `exit ${code}`,
    noCalls: 'no calls',
    moreLines: (count: number) => `… ${countOf(count, 'more line')}`,
    moreOutput: (bytes: number) => `… and ${countOf(bytes, 'more byte')} of the actual output`,
    unchanged: (characters: number) => `… ${countOf(characters, 'character')} unchanged …`,
    /** Of the same length. */
    expected: 'expected',
    actual: 'actual  ',
    stderr: 'standard error:',
    moreStderr: (bytes: number) => `… and ${countOf(bytes, 'more byte')}`,
  },

  finding: {
    none: 'no findings',
    /** The advice addresses the reviewer. */
    heads: { where: 'where', why: 'why', advice: 'review', status: 'status', check: 'check' },
    dismissed: (by: string, reason: string) => `dismissed by ${by}: ${reason}`,
    inModule: 'the module',
    inField: (field: string) =>
      field === 'publisher' ? "the publisher's display name" : `${field} in the manifest`,
    inBytes: (length: number, offset: string) => `${countOf(length, 'byte')} of the module at 0x${offset}`,
  },
} as const
