import { maxManifestBytes, maxPackageBytes, minPackageBytes } from '../../../shared/contracts/releases.ts'
import type { SkillManifest } from '../../../shared/contracts/releases.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import { parseManifest } from '../../../shared/manifest.ts'
import { formatBytes } from '../../lib/format.ts'

export interface PickedManifest {
  fileName: string
  /** As it is sent; null where it is not worth sending. */
  text: string | null
  /** Null where something is wrong. */
  manifest: SkillManifest | null
  problems: readonly ErrorIssue[]
}

export interface PickedModule {
  fileName: string
  size: number
  /** The bytes that were read when the file was picked; null where they are not worth sending. */
  bytes: Blob | null
  sha256: string | null
  problem: string | null
}

export interface SortedFiles {
  manifest: File | null
  module: File | null
  /** What is to be said about the files that are neither, or null. */
  complaint: string | null
}

/** Some editors write three bytes in front of UTF-8, which are dropped. */
const markBytes = 3

/** Which of the dropped files is which, by their names. */
export function sortFiles(files: readonly File[]): SortedFiles {
  const manifests = files.filter(({ name }) => /\.json$/i.test(name))
  const modules = files.filter(({ name }) => /\.wasm$/i.test(name))
  const [foreign] = files.filter((file) => !manifests.includes(file) && !modules.includes(file))
  const one = (found: readonly File[]): File | null => (found.length === 1 ? (found[0] ?? null) : null)
  return { manifest: one(manifests), module: one(modules), complaint: complaintAbout() }

  function complaintAbout(): string | null {
    if (manifests.length > 1) return `${manifests.length} .json files were dropped. Drop one of them.`
    if (modules.length > 1) return `${modules.length} .wasm files were dropped. Drop one of them.`
    return foreign === undefined ? null : `${foreign.name} is neither a .json file nor a .wasm file.`
  }
}

/** Reads a manifest and says what the registry would say of it. */
export async function readManifestFile(file: File): Promise<PickedManifest> {
  const refused = (problems: readonly ErrorIssue[]): PickedManifest => ({
    fileName: file.name,
    text: null,
    manifest: null,
    problems,
  })
  if (file.size > maxManifestBytes + markBytes) {
    const message = `has ${formatBytes(file.size)}; at most ${formatBytes(maxManifestBytes)} are taken`
    return refused([{ path: 'manifest', message }])
  }
  const text = await textOf(file)
  if (text === null) return refused([{ path: 'manifest', message: 'could not be read; choose it again' }])
  try {
    return { fileName: file.name, text: asFormText(text), manifest: parseManifest(text), problems: [] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return refused(error.issues ?? [{ path: 'manifest', message: error.message }])
  }
}

/** Reads a module whole, so that what is sent is what was looked at, whatever becomes of the file meanwhile. */
export async function readModuleFile(file: File): Promise<PickedModule> {
  const refused = (problem: string): PickedModule => ({
    fileName: file.name,
    size: file.size,
    bytes: null,
    sha256: null,
    problem,
  })
  if (file.size > maxPackageBytes) {
    return refused(`It has ${formatBytes(file.size)}; at most ${formatBytes(maxPackageBytes)} are taken.`)
  }
  if (file.size < minPackageBytes) {
    return refused(`It has ${formatBytes(file.size)}; a module has at least ${minPackageBytes}.`)
  }
  const bytes = await bytesOf(file)
  if (bytes === null) return refused('It could not be read. Choose it again.')
  if (!beginsAsModule(bytes)) {
    return refused('It does not begin as a WebAssembly module does. Choose the built .wasm file.')
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return {
    fileName: file.name,
    size: bytes.byteLength,
    bytes: new Blob([bytes], { type: 'application/wasm' }),
    sha256: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    problem: null,
  }
}

/**
 * A form makes two characters of the end of each line, which could make a manifest too long. Between the parts
 * of JSON one white space is as good as another, and inside its texts no line ends.
 */
function asFormText(json: string): string {
  return json.replaceAll(/[\r\n]/g, ' ')
}

function beginsAsModule(bytes: ArrayBuffer): boolean {
  const [a, b, c, d] = new Uint8Array(bytes, 0, 4)
  return a === 0x00 && b === 0x61 && c === 0x73 && d === 0x6d
}

/** Null for a file that is gone or was changed since it was picked. */
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
