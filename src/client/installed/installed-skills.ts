import { createHash } from 'node:crypto'
import { lstat, mkdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../files/durable-files.ts'
import { skillManifestSchema } from '../../shared/contracts/manifest.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { texts } from './installed.texts.ts'
import type { LockedSkill } from './lock-file.ts'
import { parseLoosely } from '../parse-loosely.ts'
import { readBeginning } from '../project/read-beginning.ts'
import { plainLine } from '../terminal/terminal.ts'

const folderOf = (root: string, name: string): string => join(root, 'skills', name)

const moduleFile = (root: string, name: string): string => join(folderOf(root, name), 'skill.wasm')

const manifestFile = (root: string, name: string): string => join(folderOf(root, name), 'manifest.json')

const manifestText = ({ manifest }: RegistryVersion): string => `${JSON.stringify(manifest, null, 2)}\n`

/**
 * Writes a module and its manifest, replacing those installed under that name. The caller must hold the lock of the
 * folder.
 */
export async function writeSkill(root: string, release: RegistryVersion, bytes: Uint8Array): Promise<void> {
  const module = moduleFile(root, release.name)
  await assertNoLinks(root, release.name)
  await mkdir(folderOf(root, release.name), { recursive: true })
  replaceFile(module, bytes, 0o644)
  await writeManifest(root, release)
}

/** Like `writeSkill`, for the manifest only. */
export async function writeManifest(root: string, release: RegistryVersion): Promise<void> {
  const file = manifestFile(root, release.name)
  await assertNoLinks(root, release.name)
  replaceFile(file, manifestText(release), 0o644)
}

/** Removes the files that `writeSkill` wrote, and the folders if nothing else is in them. */
export async function removeSkill(root: string, name: string): Promise<void> {
  await assertNoLinks(root, name)
  for (const file of [moduleFile(root, name), manifestFile(root, name)]) {
    await rm(file, { force: true })
  }
  for (const folder of [folderOf(root, name), join(root, 'skills')]) {
    await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) throw error
    })
  }
}

const assertNoLinks = (root: string, name: string): Promise<void> =>
  refuseLinks([join(root, 'skills'), folderOf(root, name)])

/** A project from someone else must not redirect writes through a symbolic link. Throws if one of these paths is one. */
export async function refuseLinks(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const state = await lstat(path).catch(() => null)
    if (state?.isSymbolicLink() !== true) continue
    throw new ClientError(exitCodes.failed, texts.isLink(path), { code: 'FOLDER_IS_LINK' })
  }
}

/** Far larger than any manifest. */
const maxManifest = 1_048_576

const describedSchema = skillManifestSchema.pick({ description: true })

/** Compares the manifest of an installed module with that of its release. */
export async function readManifestState(
  root: string,
  release: RegistryVersion,
): Promise<'same' | 'missing' | 'changed'> {
  const bytes = await readBeginning(manifestFile(root, release.name), maxManifest)
  if (bytes === null) return 'missing'
  // Git may have checked it out with CRLF line endings.
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
  return text === manifestText(release) ? 'same' : 'changed'
}

/** The publisher's description of an installed skill, on one line; null if its manifest is missing or can't be read. */
export async function readDescription(root: string, name: string): Promise<string | null> {
  const bytes = await readBeginning(manifestFile(root, name), maxManifest).catch(() => null)
  const manifest = bytes === null ? null : parseLoosely(describedSchema, bytes.toString('utf8'))
  return manifest === null ? null : plainLine(manifest.description)
}

/** The bytes of an installed module if they match the lock file, otherwise `missing` or `changed`. */
export async function readInstalled(
  root: string,
  name: string,
  locked: LockedSkill,
): Promise<Buffer<ArrayBuffer> | 'missing' | 'changed'> {
  const bytes = await readBeginning(moduleFile(root, name), locked.size + 1)
  if (bytes === null) return 'missing'
  return bytes.length === locked.size && digestOf(bytes) === locked.sha256 ? bytes : 'changed'
}

/** SHA-256 in lowercase hex. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
