import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../files/durable-files.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { LockedSkill } from './lock-file.ts'
import { readBeginning } from '../project/read-beginning.ts'

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
  await assertNoLinks(root, release.name)
  await mkdir(folderOf(root, release.name), { recursive: true })
  replaceFile(module, bytes, 0o644)
  await placeManifest(root, release)
}

/** The same for a manifest alone. */
export async function placeManifest(root: string, release: RegistryVersion): Promise<void> {
  const file = manifestFile(root, release.name)
  await assertNoLinks(root, release.name)
  replaceFile(file, manifestText(release), 0o644)
}

/** Whoever has made a project that others restore does not say where else in their home something is written. */
async function assertNoLinks(root: string, name: string): Promise<void> {
  for (const folder of [join(root, 'skills'), folderOf(root, name)]) {
    // oxlint-disable-next-line no-await-in-loop
    const state = await lstat(folder).catch(() => null)
    if (state?.isSymbolicLink() !== true) continue
    throw new ClientError(exitCodes.no, `${folder} is a link to another place, where nothing is written.`, {
      code: 'FOLDER_IS_LINK',
      next: 'Put a folder there in place of the link, then install again.',
    })
  }
}

/** Far more than a manifest has. */
const mostManifest = 1_048_576

/** Whether the manifest beside an installed module is that of its release. */
export async function readManifestState(
  root: string,
  release: RegistryVersion,
): Promise<'same' | 'missing' | 'changed'> {
  const bytes = await readBeginning(manifestFile(root, release.name), mostManifest)
  if (bytes === null) return 'missing'
  // Git may have checked it out with other line ends.
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
  return text === manifestText(release) ? 'same' : 'changed'
}

/** The bytes of an installed module where they are the locked ones; `missing` or `changed` where they are not. */
export async function readInstalled(
  root: string,
  name: string,
  locked: LockedSkill,
): Promise<Buffer<ArrayBuffer> | 'missing' | 'changed'> {
  const bytes = await readBeginning(moduleFile(root, name), locked.size + 1)
  if (bytes === null) return 'missing'
  return bytes.length === locked.size && digestOf(bytes) === locked.sha256 ? bytes : 'changed'
}

/** Lower-case hex SHA-256. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
