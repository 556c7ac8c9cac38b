import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { FolderState } from '../../shared/contracts/desk-session.ts'
import { codeOf } from '../../shared/errors.ts'
import { dataPaths, lockForServing } from './data-folder.ts'
import type { DataPaths } from './data-folder.ts'
import { freeBytes } from '../storage/free-bytes.ts'

/** Minimum free space: a single module may have 16 MiB, and a backup needs as much space as the data. */
const minimumBytes = 256_000_000
/** Files that operating systems create on their own. */
const systemNames = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini', 'lost+found'])
const namedEntries = 3

/**
 * Whether a folder, which may not exist yet, can hold the data. Tries a write, because permissions alone don't tell.
 * `own` is the data folder of these services.
 */
export async function checkDataFolder(
  path: string,
  own: string | null,
  measureFree: (folder: string) => Promise<number | null> = freeBytes,
): Promise<FolderState> {
  const nothing = { path, freeBytes: null, found: [], reason: null }
  if (!isAbsolute(path)) return { ...nothing, state: 'no folder' }
  const existing = nearestExisting(path)
  let names: string[]
  try {
    names = existing === path ? await readdir(path) : []
  } catch (error) {
    return { ...nothing, state: 'no folder', reason: codeOf(error) ?? String(error) }
  }
  const refused = await tryToWrite(existing)
  if (refused !== null) return { ...nothing, state: 'not writable', reason: refused }
  const found = { ...nothing, freeBytes: await measureFree(existing) }
  if (own !== null && resolve(path) === resolve(own))
    return { ...found, state: checkSpace(found.freeBytes, 'own') }
  const paths = dataPaths(path)
  if (names.includes(basename(paths.database))) {
    return { ...found, state: isServed(paths) ? 'in use' : 'registry' }
  }
  const others = names.filter((name) => !isOwnName(paths, name))
  if (others.length === 0) return { ...found, state: checkSpace(found.freeBytes, 'empty') }
  const named = others.slice(0, namedEntries)
  return { ...found, state: 'other', found: others.length > namedEntries ? [...named, '…'] : named }
}

function checkSpace(free: number | null, good: 'own' | 'empty'): FolderState['state'] {
  return free !== null && free < minimumBytes ? 'too little space' : good
}

function nearestExisting(path: string): string {
  let folder = path
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** The system's error code if the folder is not writable, else null. */
async function tryToWrite(folder: string): Promise<string | null> {
  try {
    await rmdir(await mkdtemp(join(folder, '.skilldock-')))
    return null
  } catch (error) {
    return codeOf(error) ?? String(error)
  }
}

function isServed(paths: DataPaths): boolean {
  const lock = lockForServing(paths)
  lock?.release()
  return lock === null
}

/** Names that Skilldock itself may create without a registry, such as prepared settings. */
function isOwnName(paths: DataPaths, name: string): boolean {
  const own = [
    paths.packages,
    paths.pictures,
    paths.records,
    paths.settings,
    paths.storage,
    paths.backups,
    paths.agentsMirror,
    paths.serverLock,
    paths.initializationLock,
  ]
  return systemNames.has(name) || own.some((path) => name.startsWith(basename(path)))
}
