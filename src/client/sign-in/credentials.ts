import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { platform } from 'node:os'
import { z } from 'zod'
import { replaceFile } from '../../files/durable-files.ts'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import type { ClientConfig } from '../config.ts'
import { exitCodes } from '../exit-codes.ts'
import { readBeginning } from '../project/read-beginning.ts'
import { withFileMutex } from '../installed/file-mutex.ts'
import { addressText } from '../registry/registry-address.ts'
import { texts } from './sign-in.texts.ts'

const credentialsSchema = z.object({
  version: z.literal(1),
  /** By the registry's address. */
  registries: z.record(
    z.string(),
    z.object({ token: z.string().min(1), person: z.string(), expiresAt: z.string().nullable() }),
  ),
})
type Credentials = z.infer<typeof credentialsSchema>

/** A saved sign-in. */
export type Credential = Credentials['registries'][string]

/** Throws if there is no home folder. */
export function credentialsFile({ configFolder }: ClientConfig): string {
  if (configFolder !== null) return join(configFolder, 'credentials.json')
  throw new ClientError(exitCodes.failed, texts.credentials.noHome, { code: 'NO_HOME' })
}

const mayOthersRead = 0o077
/** Enough for thousands of registries. */
const maxBytes = 1_048_576

/** The credential saved for a registry, or null. Throws if the file is damaged or readable by other users. */
export async function readCredential(config: ClientConfig, registry: URL): Promise<Credential | null> {
  if (config.configFolder === null) return null
  return (await readAll(credentialsFile(config))).registries[addressText(registry)] ?? null
}

type Writer = Pick<Context, 'config' | 'signal'>

/** Saves a credential in a file of mode 0600. Other processes may write the file at the same time. */
export const writeCredential = (context: Writer, registry: URL, credential: Credential): Promise<void> =>
  changeCredential(context, registry, () => credential)

/** Removes a saved credential, unless another process has replaced it by then. */
export const removeCredential = (context: Writer, registry: URL, { token }: Credential): Promise<void> =>
  changeCredential(context, registry, (saved) => (saved?.token === token ? undefined : saved))

async function changeCredential(
  { config, signal }: Writer,
  registry: URL,
  change: (saved: Credential | undefined) => Credential | undefined,
): Promise<void> {
  const file = credentialsFile(config)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await withFileMutex(file, signal, async () => {
    const { version, registries } = await readAll(file)
    const { [addressText(registry)]: former, ...others } = registries
    const changed = change(former)
    const updated = changed === undefined ? others : { ...others, [addressText(registry)]: changed }
    replaceFile(file, `${JSON.stringify({ version, registries: updated }, null, 2)}\n`)
  })
}

async function readAll(file: string): Promise<Credentials> {
  const bytes = await readBeginning(file, maxBytes)
  if (bytes === null) return { version: 1, registries: {} }
  const { mode } = await stat(file)
  if (platform() !== 'win32' && (mode & mayOthersRead) !== 0) {
    throw new ClientError(exitCodes.notAllowed, texts.credentials.exposed(file), {
      code: 'CREDENTIALS_EXPOSED',
    })
  }
  try {
    return credentialsSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new ClientError(exitCodes.failed, texts.credentials.damaged(file), {
      code: 'CREDENTIALS_DAMAGED',
      cause: error,
    })
  }
}
