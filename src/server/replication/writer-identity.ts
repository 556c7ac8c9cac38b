import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { replaceFile } from '../../files/durable-files.ts'

const identitySchema = z.strictObject({ writer: z.string(), epoch: z.int().min(1) })

/** Who a data folder is among the machines of a registry. It is in no backup: a restored copy is another machine. */
type WriterIdentity = z.infer<typeof identitySchema>

/** The path of a data folder's identity. */
interface IdentityPath {
  replication: string
}

export function readIdentity({ replication }: IdentityPath): WriterIdentity | null {
  if (!existsSync(replication)) return null
  return identitySchema.parse(JSON.parse(readFileSync(replication, 'utf8')))
}

export function saveIdentity({ replication }: IdentityPath, { writer, epoch }: WriterIdentity): void {
  replaceFile(replication, `${JSON.stringify({ writer, epoch })}\n`)
}
