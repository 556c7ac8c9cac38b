/** Why an agent project cannot be read and what to do about it. */
export const unreadableTexts = {
  locked:
    "Another program has locked the agent project's data/nexus.db. Close that program or wait until it finishes.",
  'half-written':
    'The program that writes data/nexus.db stopped in the middle of a write. Start it again to repair the file.',
  'not-allowed':
    "Skilldock does not have permission to read the agent project's data/nexus.db. Change the file's permissions.",
  'not-a-database':
    "The agent project's data/nexus.db is not an SQLite database. Replace the file or choose another project.",
  corrupt: "The agent project's data/nexus.db is damaged. Restore it from a backup.",
  'unsafe-files':
    'This project cannot be read: a file next to data/nexus.db is not a regular file, or a link leads out of the ' +
    'project folder. Remove the file named in the log, or choose another project.',
  failed: "The agent project's data/nexus.db could not be read. See the log for details.",
  crashed:
    'This project cannot be read: the process that reads data/nexus.db crashed, stopped responding or needed too ' +
    'much memory. Replace the file, or select Try again in the desk.',
  slow: 'This project cannot be read in time: the answer took longer than 60 seconds. Narrow the search and try again.',
  'no-mirror':
    'Skilldock cannot save its copy of the agent project: the disk with the data folder is full, or agents-mirror.db ' +
    'is not writable. Free up some space or change the permissions, then try again.',
}

export type UnreadableReason = keyof typeof unreadableTexts
