import { join, resolve } from 'node:path'
import { maxPackageBytes } from '../../shared/contracts/releases.ts'
import { skillNameSchema } from '../../shared/contracts/manifest.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { texts } from './project.texts.ts'
import { readBeginning } from './read-beginning.ts'

/** The files of a skill to publish: a manifest and the module named after it. */
export interface Project {
  manifestFile: string
  manifestText: string
  moduleFile: string
  module: Buffer<ArrayBuffer>
}

interface ProjectPaths {
  /** The working directory. */
  from: string
  /** The project's folder, relative to `from`. */
  folder?: string | undefined
  /** Files to use instead of those in the folder, relative to `from`. */
  manifest?: string | undefined
  wasm?: string | undefined
}

/** Reads the files of a project, each up to a limit above the accepted size. Throws if one is missing. */
export async function readProject({ from, folder, manifest, wasm }: ProjectPaths): Promise<Project> {
  const root = resolve(from, folder ?? '.')
  const manifestFile = manifest === undefined ? join(root, 'manifest.json') : resolve(from, manifest)
  const manifestBytes = await readBeginning(manifestFile, maxManifest)
  if (manifestBytes === null) throw noManifest(manifestFile)
  const manifestText = manifestBytes.toString('utf8')
  const moduleFile =
    wasm === undefined ? join(root, `${readName(manifestFile, manifestText)}.wasm`) : resolve(from, wasm)
  return { manifestFile, manifestText, moduleFile, module: await readModuleFile(moduleFile) }
}

/** Reads a module, up to one byte more than the maximum size of a package. */
export async function readModuleFile(file: string): Promise<Buffer<ArrayBuffer>> {
  const bytes = await readBeginning(file, maxPackageBytes + 1)
  if (bytes === null) throw noModule(file)
  return bytes
}

/** Far more than is accepted, so that the messages about an oversized manifest are still accurate. */
const maxManifest = 1_048_576

/** The name in a manifest that may otherwise be invalid. */
function readName(file: string, text: string): string {
  try {
    return skillNameSchema.parse((JSON.parse(text.replace(/^\uFEFF/, '')) as { name?: unknown } | null)?.name)
  } catch (error) {
    throw new ClientError(exitCodes.failed, texts.noName(file), { code: 'NO_NAME', cause: error })
  }
}

const noManifest = (file: string): ClientError =>
  new ClientError(exitCodes.failed, texts.noManifest(file), { code: 'NO_MANIFEST' })

const noModule = (file: string): ClientError =>
  new ClientError(exitCodes.failed, texts.noModule(file), { code: 'NO_MODULE' })
