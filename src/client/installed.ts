import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegistryVersion } from '../shared/contracts/releases.ts'
import type { LockedSkill } from './lock-file.ts'
import { writeWhole } from './write-whole.ts'

const folderOf = (root: string, name: string): string => join(root, 'skills', name)

/** Where the module of an installed skill is. */
export const moduleFile = (root: string, name: string): string => join(folderOf(root, name), 'skill.wasm')

/** Puts a module and its manifest in the place of what is installed under that name. */
export async function placeSkill(root: string, release: RegistryVersion, bytes: Uint8Array): Promise<void> {
  await mkdir(folderOf(root, release.name), { recursive: true })
  await writeWhole(moduleFile(root, release.name), bytes)
  await writeWhole(
    join(folderOf(root, release.name), 'manifest.json'),
    `${JSON.stringify(release.manifest, null, 2)}\n`,
  )
}

/** The bytes of an installed module where they are the locked ones; `missing` or `changed` where they are not. */
export async function readInstalled(
  root: string,
  name: string,
  locked: LockedSkill,
): Promise<Buffer<ArrayBuffer> | 'missing' | 'changed'> {
  let bytes: Buffer<ArrayBuffer>
  try {
    bytes = await readFile(moduleFile(root, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
  return bytes.length === locked.size && digestOf(bytes) === locked.sha256 ? bytes : 'changed'
}

/** Lower-case hex SHA-256. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
