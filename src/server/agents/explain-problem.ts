import type { UnreadableReason } from './reader-messages.ts'

const sentences: Record<UnreadableReason, string> = {
  locked:
    'Another program holds the database of the agent project and lets nobody read it. Try again in a few seconds.',
  'half-written':
    'The program that writes data/nexus.db ended in the middle of a write. Start it again; it repairs the file.',
  'not-allowed': 'data/nexus.db of the agent project may not be read by this user. Change its permissions.',
  'not-a-database': 'data/nexus.db of the agent project is not an SQLite database. Choose another project.',
  corrupt:
    'data/nexus.db of the agent project is damaged. Nothing here has written to it; restore it from a backup.',
  'unsafe-files':
    'This project cannot be read: a file next to data/nexus.db is not a regular file, or a link leads out of the ' +
    'project folder. The log names it. Remove it, or choose another project.',
  failed: 'data/nexus.db of the agent project could not be read. The log says why.',
  crashed:
    'This project cannot be read: the process that reads data/nexus.db crashed, stopped responding or needed too ' +
    'much memory. After two failures the file is opened again when it changes, or when you choose Try again in the desk.',
  slow: 'This project cannot be read in time: the answer took longer than 60 seconds. Narrow the search and try again.',
}

/** Why an agent project cannot be read, in words that a person can act on. */
export function explainProblem(reason: UnreadableReason): string {
  return sentences[reason]
}
