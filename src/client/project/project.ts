import { join, resolve } from 'node:path'
import { maxPackageBytes, skillNameSchema } from '../../shared/contracts/releases.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { readBeginning } from './read-beginning.ts'

/** What a developer wants to publish: a manifest, and the module beside it that bears its name. */
export interface Project {
  manifestFile: string
  manifestText: string
  moduleFile: string
  module: Buffer<ArrayBuffer>
}

export interface ProjectPlaces {
  /** The folder that the command was called in. */
  from: string
  /** Another folder, from there. */
  folder?: string | undefined
  /** Other files than those of the folder, from `from`. */
  manifest?: string | undefined
  wasm?: string | undefined
}

/** Reads the files of a project, not more of them than is ever taken. Throws where one is not there. */
export async function readProject({ from, folder, manifest, wasm }: ProjectPlaces): Promise<Project> {
  const root = resolve(from, folder ?? '.')
  const manifestFile = manifest === undefined ? join(root, 'manifest.json') : resolve(from, manifest)
  const manifestBytes = await readBeginning(manifestFile, mostManifest)
  if (manifestBytes === null) throw noManifest(manifestFile)
  const manifestText = manifestBytes.toString('utf8')
  const moduleFile =
    wasm === undefined ? join(root, `${readName(manifestFile, manifestText)}.wasm`) : resolve(from, wasm)
  return { manifestFile, manifestText, moduleFile, module: await readModuleFile(moduleFile) }
}

/** The bytes of a module; one more of those than a package may have where it has more. */
export async function readModuleFile(file: string): Promise<Buffer<ArrayBuffer>> {
  const bytes = await readBeginning(file, maxPackageBytes + 1)
  if (bytes === null) throw noModule(file)
  return bytes
}

/** Far more than is accepted, so that what is said of one that is too long is still true of most. */
const mostManifest = 1_048_576

/** The name in a manifest that may be wrong in other places. */
function readName(file: string, text: string): string {
  try {
    return skillNameSchema.parse((JSON.parse(text.replace(/^\uFEFF/, '')) as { name?: unknown } | null)?.name)
  } catch (error) {
    throw new ClientError(exitCodes.no, `${file} has no name that says which module belongs to it.`, {
      code: 'NO_NAME',
      next: 'Its "name" is lower-case words of letters and digits joined by single hyphens. Or name the module: --wasm FILE',
      cause: error,
    })
  }
}

const noManifest = (file: string): ClientError =>
  new ClientError(exitCodes.no, `There is no ${file}.`, {
    code: 'NO_MANIFEST',
    next: 'Name the folder of your skill, or its manifest with --manifest FILE. A new one is made by: skill init',
  })

const noModule = (file: string): ClientError =>
  new ClientError(exitCodes.no, `There is no ${file}.`, {
    code: 'NO_MODULE',
    next: 'Build it first, or name the module with --wasm FILE.',
  })
