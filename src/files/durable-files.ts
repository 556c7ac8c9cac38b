import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { aboutFile } from './about-file.ts'

/**
 * Replaces a small file so that a crash or a power failure leaves either the old or the new contents, never a part
 * or an empty file: the contents are flushed under a temporary name, renamed, and the folder is flushed. The
 * temporary name is always the same, so leftovers of a killed process are overwritten by the next one. Two processes
 * must not replace the same file at the same time. Errors name `path`.
 */
export function replaceFile(path: string, contents: string | Uint8Array, mode = 0o600): void {
  const temporary = `${path}.new`
  try {
    rmSync(temporary, { force: true })
    // Exclusive, so that a leftover link is not followed and a leftover mode is not kept.
    writeFileSync(temporary, contents, { mode, flag: 'wx', flush: true })
    renameSync(temporary, path)
    flushFolderSync(dirname(path))
  } catch (error) {
    try {
      rmSync(temporary, { force: true })
    } catch {
      // The first error is the one that matters.
    }
    throw aboutFile(error, path)
  }
}

/** Removes a file, if there is one, so that it stays removed after a power failure. */
export function removeFile(path: string): void {
  rmSync(path, { force: true })
  flushFolderSync(dirname(path))
}

/**
 * Creates a folder and its missing parents, readable only by their owner. `mkdirSync` with `recursive` never returns if
 * nothing can be created in a parent that exists, as in `/proc`.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Renames a flushed file or a folder so that the new name survives a power failure. */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to)
  await flushFolder(dirname(to))
}

/** Makes new names in a folder survive a power failure. Not needed on Windows, which cannot open folders. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function flushFolderSync(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Files of `replaceFiles` that are written at the same time. */
const writesAtOnce = 16

/**
 * Creates or replaces small files of one folder, each like `replaceFile`, but the folder is flushed only once. The
 * contents are taken from `files` one after the other, when there is time to write them.
 */
export async function replaceFiles(
  folder: string,
  files: Iterable<{ name: string; contents: string }>,
): Promise<void> {
  const iterator = files[Symbol.iterator]()
  const writeOneByOne = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const path = join(folder, next.value.name)
      await writeFile(`${path}.new`, next.value.contents, { mode: 0o600, flush: true })
      await rename(`${path}.new`, path)
    }
  }
  await Promise.all(Array.from({ length: writesAtOnce }, writeOneByOne))
  await flushFolder(folder)
}
