import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { aboutFile } from './about-file.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ProjectFile } from './project-templates.ts'
import { plainLine } from '../terminal/terminal.ts'

/** How many of the things in a folder a message names. */
const mostNamed = 5

/**
 * Fills a folder that is not there yet, or is empty. Nothing is ever overwritten; when a file cannot be written,
 * what was made before it is taken away again. `shown` is how messages call the folder.
 */
export async function fillNewFolder(
  folder: string,
  shown: string,
  files: readonly ProjectFile[],
): Promise<void> {
  await refuseUnlessEmpty(folder, shown)
  const undo: (() => Promise<void>)[] = []
  const makeFolder = async (path: string): Promise<void> => {
    if (await isMade(path)) undo.push(() => rmdir(path))
  }
  const makeFile = async (path: string, text: string): Promise<void> => {
    const handle = await open(path, 'wx')
    // On a full disk there is room for its name alone.
    undo.push(() => rm(path))
    try {
      await handle.writeFile(text)
    } catch (error) {
      throw aboutFile(error, path)
    } finally {
      await handle.close()
    }
  }
  // One after the other, for what was made before an error has to be known.
  try {
    for (const path of ['.', ...foldersOf(files)]) await makeFolder(join(folder, path))
    for (const { path, text } of files) await makeFile(join(folder, path), text)
  } catch (error) {
    // A folder in which somebody else has put something meanwhile stays.
    for (const step of undo.toReversed()) await step().catch(() => {})
    throw error
  }
}

/** False where the folder was there before. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Every folder that the files need, outer ones first. */
function foldersOf(files: readonly ProjectFile[]): string[] {
  const folders = new Set<string>()
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1)
    parts.forEach((_, index) => folders.add(parts.slice(0, index + 1).join('/')))
  }
  return [...folders]
}

/** Throws a ClientError that names what is in the way; a folder that is not there is well. */
export async function refuseUnlessEmpty(folder: string, shown: string): Promise<void> {
  const entries = await listFolder(folder, shown)
  if (entries.length === 0) return
  const named = entries.slice(0, mostNamed).join(', ')
  const more = entries.length - mostNamed
  throw new ClientError(
    exitCodes.no,
    `The folder ${shown} is not empty: it has ${named}${more > 0 ? ` and ${more} more` : ''}.`,
    {
      code: 'FOLDER_NOT_EMPTY',
      next: 'Nothing was written. Choose another name, or another folder to call this in.',
    },
  )
}

/** Names, of folders with a slash behind them; none where there is no folder. */
async function listFolder(folder: string, shown: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.map((entry) => plainLine(entry.name) + (entry.isDirectory() ? '/' : '')).toSorted()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code !== 'ENOTDIR') throw error
    throw new ClientError(exitCodes.no, `${shown} is there already and is no folder.`, {
      code: 'FOLDER_NOT_EMPTY',
      next: 'Nothing was written. Choose another name, or another folder to call this in.',
    })
  }
}
