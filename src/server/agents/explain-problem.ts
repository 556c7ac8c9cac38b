import type { UnreadableReason } from './worker-messages.ts'

const sentences: Record<UnreadableReason, string> = {
  locked:
    'Another program holds the database of the agent project and lets nobody read it. Try again in a few seconds.',
  'half-written':
    'The program that writes data/nexus.db ended in the middle of a write. Start it again; it repairs the file.',
  'not-allowed': 'data/nexus.db of the agent project may not be read by this user. Change its permissions.',
  'not-a-database': 'data/nexus.db of the agent project is not an SQLite database. Choose another project.',
  corrupt:
    'data/nexus.db of the agent project is damaged. Nothing here has written to it; restore it from a backup.',
  failed: 'data/nexus.db of the agent project could not be read. The log says why.',
}

/** Why an agent project cannot be read, in words that a person can act on. */
export function explainProblem(reason: UnreadableReason): string {
  return sentences[reason]
}
