import { maxPackageBytes, minPackageBytes } from '../../../shared/contracts/releases.ts'
import { maxManifestBytes } from '../../../shared/contracts/manifest.ts'
import type { SkillManifest } from '../../../shared/contracts/manifest.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import { parseManifest } from '../../../shared/parse-manifest.ts'
import { digestOf } from '../../lib/digest/digest.ts'
import { texts } from './own.texts.ts'

export interface PickedManifest {
  fileName: string
  /** The text to send; null if it is invalid. */
  text: string | null
  /** Null if there are problems. */
  manifest: SkillManifest | null
  problems: readonly ErrorIssue[]
}

export interface PickedModule {
  fileName: string
  size: number
  /** The bytes as read when the file was picked; null if they cannot be a module. */
  bytes: Blob | null
  sha256: string | null
  problem: string | null
}

interface SortedFiles {
  manifest: File | null
  module: File | null
  /** Why some of the files are not used, or null. */
  complaint: string | null
}

/** Length of the byte order mark that some editors write, which is dropped. */
const byteOrderMarkBytes = 3

/** Finds the manifest and the module among dropped files, by extension. */
export function sortFiles(files: readonly File[]): SortedFiles {
  const manifests = files.filter(({ name }) => /\.json$/i.test(name))
  const modules = files.filter(({ name }) => /\.wasm$/i.test(name))
  const [other] = files.filter((file) => !manifests.includes(file) && !modules.includes(file))
  const one = (found: readonly File[]): File | null => (found.length === 1 ? (found[0] ?? null) : null)
  return { manifest: one(manifests), module: one(modules), complaint: complaintAbout() }

  function complaintAbout(): string | null {
    if (manifests.length > 1) return texts.submission.dropped(manifests.length, '.json')
    if (modules.length > 1) return texts.submission.dropped(modules.length, '.wasm')
    return other === undefined ? null : texts.submission.wrongFile(other.name)
  }
}

/** Reads a manifest and validates it as the registry does. */
export async function readManifestFile(file: File): Promise<PickedManifest> {
  const refused = (problems: readonly ErrorIssue[]): PickedManifest => ({
    fileName: file.name,
    text: null,
    manifest: null,
    problems,
  })
  if (file.size > maxManifestBytes + byteOrderMarkBytes) {
    const message = texts.submission.manifestTooLarge(file.size, maxManifestBytes)
    return refused([{ path: 'manifest', message }])
  }
  const text = await textOf(file)
  if (text === null) return refused([{ path: 'manifest', message: texts.submission.manifestUnreadable }])
  try {
    return { fileName: file.name, text: asFormText(text), manifest: parseManifest(text), problems: [] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return refused(error.issues ?? [{ path: 'manifest', message: error.message }])
  }
}

/** Reads all bytes of a module, so that later changes to the file do not affect the submission. */
export async function readModuleFile(file: File): Promise<PickedModule> {
  const refused = (problem: string): PickedModule => ({
    fileName: file.name,
    size: file.size,
    bytes: null,
    sha256: null,
    problem,
  })
  if (file.size > maxPackageBytes) {
    return refused(texts.submission.moduleTooLarge(file.size, maxPackageBytes))
  }
  if (file.size < minPackageBytes) {
    return refused(texts.submission.moduleTooSmall(file.size, minPackageBytes))
  }
  const bytes = await bytesOf(file)
  if (bytes === null) return refused(texts.submission.moduleUnreadable)
  if (!hasModuleMagic(bytes)) {
    return refused(texts.submission.notAModule)
  }
  const blob = new Blob([bytes], { type: 'application/wasm' })
  return {
    fileName: file.name,
    size: bytes.byteLength,
    bytes: blob,
    sha256: await digestOf(blob),
    problem: null,
  }
}

/**
 * Forms turn each line break into two characters, which could make a manifest too long. In JSON, a line break is only
 * whitespace between tokens, so a space can replace it.
 */
function asFormText(json: string): string {
  return json.replaceAll(/[\r\n]/g, ' ')
}

function hasModuleMagic(bytes: ArrayBuffer): boolean {
  const [a, b, c, d] = new Uint8Array(bytes, 0, 4)
  return a === 0x00 && b === 0x61 && c === 0x73 && d === 0x6d
}

/** Null if the file was deleted or changed since it was picked. */
async function bytesOf(file: File): Promise<ArrayBuffer | null> {
  try {
    return await file.arrayBuffer()
  } catch {
    return null
  }
}

async function textOf(file: File): Promise<string | null> {
  try {
    return await file.text()
  } catch {
    return null
  }
}
