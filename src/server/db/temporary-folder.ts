import process from 'node:process'

/** Makes this process, including SQLite's native code, create its temporary files in this folder. */
export function useTemporaryFolder(folder: string): void {
  // SQLite and Node read one of these each time; which one depends on the system.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
}
