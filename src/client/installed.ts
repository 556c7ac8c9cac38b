import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegistryVersion } from '../shared/contracts/releases.ts'
import type { LockedSkill } from './lock-file.ts'
import { sweep, writeWhole } from './write-whole.ts'

const folderOf = (root: string, name: string): string => join(root, 'skills', name)

/** Where the module of an installed skill is. */
export const moduleFile = (root: string, name: string): string => join(folderOf(root, name), 'skill.wasm')

const manifestFile = (root: string, name: string): string => join(folderOf(root, name), 'manifest.json')

const manifestText = ({ manifest }: RegistryVersion): string => `${JSON.stringify(manifest, null, 2)}\n`

/**
 * Puts a module and its manifest in the place of what is installed under that name. For whoever is alone at work in
 * that folder.
 */
export async function placeSkill(root: string, release: RegistryVersion, bytes: Uint8Array): Promise<void> {
  const module = moduleFile(root, release.name)
  await mkdir(folderOf(root, release.name), { recursive: true })
  await sweep(module)
  await writeWhole(module, bytes)
  await placeManifest(root, release)
}

/** The same for a manifest alone. */
export async function placeManifest(root: string, release: RegistryVersion): Promise<void> {
  const file = manifestFile(root, release.name)
  await sweep(file)
  await writeWhole(file, manifestText(release))
}

/** Whether the manifest beside an installed module is that of its release. */
export async function readManifestState(
  root: string,
  release: RegistryVersion,
): Promise<'same' | 'missing' | 'changed'> {
  try {
    const text = await readFile(manifestFile(root, release.name), 'utf8')
    // Git may have checked it out with other line ends.
    return text.replaceAll('\r\n', '\n') === manifestText(release) ? 'same' : 'changed'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
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
