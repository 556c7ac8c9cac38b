import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  clientFileName,
  installerFileName,
  versionOfClient,
  withRegistry,
} from '../../../shared/client-program.ts'
import { DomainError } from '../../../shared/errors.ts'
import { trimEndCharacters } from '../../../shared/trim-characters.ts'

export interface ClientFilesParts {
  /** Holds the built client and its installer; null where there is none. */
  clientFolder: string | null
  /** Where clients reach the registry. */
  publicUrl(): string
}

/** What the build has made, before it belongs to a registry. */
interface BuiltFiles {
  installer: string
  client: string
}

/**
 * The client and the script that installs it, both for the address of this registry as it is at the moment. What is
 * built is read once: the digest in the script stays that of the client, whatever is built while the server runs.
 */
export function createClientFiles({ clientFolder, publicUrl }: ClientFilesParts) {
  let built: Promise<BuiltFiles> | null = null
  let served: { address: string; installer: Buffer; client: Buffer } | null = null

  const find = async () => {
    built ??= readBuilt(clientFolder).catch((error: unknown) => {
      built = null
      throw error
    })
    const files = await built
    const address = addressOf(publicUrl())
    if (served?.address !== address) served = { address, ...fillIn(files, address) }
    return served
  }

  return {
    /** Throws NOT_FOUND where this server has no client. */
    getInstaller: async (): Promise<Buffer> => (await find()).installer,
    /** Throws NOT_FOUND where this server has no client. */
    getClient: async (): Promise<Buffer> => (await find()).client,
  }
}

export type ClientFiles = ReturnType<typeof createClientFiles>

/** As it may stand in a script: without anything that URLs do not hold, and without a name and a password. */
function addressOf(publicUrl: string): string {
  const url = new URL(publicUrl)
  url.username = ''
  url.password = ''
  return trimEndCharacters(url.href, '/')
}

async function readBuilt(folder: string | null): Promise<BuiltFiles> {
  if (folder === null) throw noClient()
  try {
    const [installer, client] = await Promise.all([
      readFile(join(folder, installerFileName), 'utf8'),
      readFile(join(folder, clientFileName), 'utf8'),
    ])
    return { installer, client }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw noClient()
    throw error
  }
}

function fillIn({ installer, client }: BuiltFiles, registry: string): { installer: Buffer; client: Buffer } {
  const bytes = Buffer.from(withRegistry(client, registry))
  const values: Record<string, string> = {
    registry,
    version: versionOfClient(client),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  // Within quotes it is read by the shell; without them it stands in a comment.
  const script = installer.replaceAll(/(')?@(registry|version|sha256)@\1/g, (_, quote, name: string) => {
    const value = values[name] ?? ''
    return quote === undefined ? value : shellQuoted(value)
  })
  return { installer: Buffer.from(script), client: bytes }
}

/** One word of a POSIX shell, whatever stands in it. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function noClient(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'This registry runs without a build of its client. What /openapi.json describes can be used without it.',
  )
}
