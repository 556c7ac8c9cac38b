import process from 'node:process'

/** Makes this process, SQLite's native part included, put its temporary files into this folder. */
export function useTemporaryFolder(folder: string): void {
  // SQLite and Node read one of these each time, by system.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
}
