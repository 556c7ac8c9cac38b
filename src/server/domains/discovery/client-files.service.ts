import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  clientFileName,
  installScriptFileName,
  versionOfClient,
  withRegistry,
} from '../../../shared/client-program.ts'
import { DomainError, codeOf } from '../../../shared/errors.ts'
import { trimEndCharacters } from '../../../shared/trim-characters.ts'
import { texts } from './discovery.texts.ts'

interface ClientFilesParts {
  /** The folder with the built client and its install script; null if they are not installed. */
  clientFolder: string | null
  /** The registry's public URL. */
  publicUrl(): string
}

/** The built files, without the address of a registry. */
interface BuiltFiles {
  script: string
  client: string
}

/**
 * The client and its install script, with the current address of this registry filled in. The built files are read only
 * once, so that the digest in the script always matches the client, even if the files change while the server runs.
 */
export function createClientFiles({ clientFolder, publicUrl }: ClientFilesParts) {
  let built: Promise<BuiltFiles> | null = null
  let served: { address: string; script: Buffer; client: Buffer } | null = null

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
    /** Throws NOT_FOUND if this server has no client. */
    getInstallScript: async (): Promise<Buffer> => (await find()).script,
    /** Throws NOT_FOUND if this server has no client. */
    getClient: async (): Promise<Buffer> => (await find()).client,
  }
}

export type ClientFiles = ReturnType<typeof createClientFiles>

/** A normalized URL, which is safe in a script. */
const addressOf = (publicUrl: string): string => trimEndCharacters(new URL(publicUrl).href, '/')

async function readBuilt(folder: string | null): Promise<BuiltFiles> {
  if (folder === null) throw noClient()
  try {
    const [script, client] = await Promise.all([
      readFile(join(folder, installScriptFileName), 'utf8'),
      readFile(join(folder, clientFileName), 'utf8'),
    ])
    return { script, client }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw noClient()
    throw error
  }
}

function fillIn({ script, client }: BuiltFiles, registry: string): { script: Buffer; client: Buffer } {
  const bytes = Buffer.from(withRegistry(client, registry))
  const values: Record<string, string> = {
    registry,
    version: versionOfClient(client),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  // A placeholder in quotes is a shell word; without quotes it is part of a comment.
  const filled = script.replaceAll(/(')?@(registry|version|sha256)@\1/g, (_, quote, name: string) => {
    const value = values[name] ?? ''
    return quote === undefined ? value : shellQuoted(value)
  })
  return { script: Buffer.from(filled), client: bytes }
}

/** Quotes any text as a single POSIX shell word. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function noClient(): DomainError {
  return new DomainError('NOT_FOUND', texts.noClient)
}
