import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../shared/errors.ts'
import { aboutFile } from '../../files/about-file.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ProjectFile } from './project-templates.ts'
import { texts } from './project.texts.ts'
import { plainLine } from '../terminal/terminal.ts'

/** How many entries of a folder the error lists. */
const maxNamed = 5

/**
 * Writes files to a new or empty folder. Nothing is ever overwritten; if a file cannot be written, those written before
 * it are removed again. `shown` is the folder's name in messages.
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
    // Register before writing: on a full disk, an empty file remains.
    undo.push(() => rm(path))
    try {
      await handle.writeFile(text)
    } catch (error) {
      throw aboutFile(error, path)
    } finally {
      await handle.close()
    }
  }
  // Sequentially, so that on an error it is known what to remove.
  try {
    for (const path of ['.', ...foldersOf(files)]) await makeFolder(join(folder, path))
    for (const { path, text } of files) await makeFile(join(folder, path), text)
  } catch (error) {
    // A folder that is no longer empty remains.
    for (const step of undo.toReversed()) await step().catch(() => {})
    throw error
  }
}

/** False if the folder already existed. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** All parent folders of the files, outermost first. */
function foldersOf(files: readonly ProjectFile[]): string[] {
  const folders = new Set<string>()
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1)
    parts.forEach((_, index) => folders.add(parts.slice(0, index + 1).join('/')))
  }
  return [...folders]
}

/** Throws a ClientError that lists some entries if the folder exists and is not empty. */
export async function refuseUnlessEmpty(folder: string, shown: string): Promise<void> {
  const entries = await listFolder(folder, shown)
  if (entries.length === 0) return
  const named = entries.slice(0, maxNamed).join(', ')
  const more = entries.length - maxNamed
  throw new ClientError(exitCodes.failed, texts.newFolder.notEmpty(shown, named, more), {
    code: 'FOLDER_NOT_EMPTY',
  })
}

/** Sorted names, with a slash after those of folders; empty if the folder does not exist. */
async function listFolder(folder: string, shown: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.map((entry) => plainLine(entry.name) + (entry.isDirectory() ? '/' : '')).toSorted()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return []
    if (code !== 'ENOTDIR') throw error
    throw new ClientError(exitCodes.failed, texts.newFolder.notFolder(shown), { code: 'FOLDER_NOT_EMPTY' })
  }
}
