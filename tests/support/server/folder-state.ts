import { readFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** All files below a folder with their contents, for a later comparison. */
export async function folderState(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const pairs = await Promise.all(
    files.toSorted().map(async (file) => [relative(folder, file), await readFile(file, 'latin1')] as const),
  )
  return Object.fromEntries(pairs)
}
