import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'

export const manifestName = 'manifest.json'
export const databaseName = 'skilldock.db'
export const signingKeyName = 'signing-key.json'
const settingsName = 'settings.json'
const logKeyName = 'log-key.json'
const logCheckpointName = 'log-checkpoint'

/** What a data folder may lack, in the order of the archive. */
export const optionalFiles = [
  [settingsName, 'settings'],
  [logKeyName, 'logKey'],
  [logCheckpointName, 'logCheckpoint'],
] as const satisfies readonly (readonly [string, keyof DataPaths])[]

const mebibyte = 1024 * 1024

export const maxManifestBytes = mebibyte
/** Maximum size of the keys, the settings and the checkpoint of the log, in bytes. */
const maxSmallFileBytes = mebibyte

const digestSchema = z.string().regex(/^[a-f0-9]{64}$/)
const size = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const fileSchema = z.strictObject({ size, sha256: digestSchema })
const smallFileSchema = z.strictObject({ size: size.max(maxSmallFileBytes), sha256: digestSchema })

const contentSchema = z.strictObject({
  format: z.literal('skilldock-backup'),
  /** 1: from before there were images. 2: from before there was a transparency log. */
  formatVersion: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  createdAt: z.iso.datetime(),
  /** In this order in the archive; packages and then images follow, ordered by digest. */
  files: z.strictObject({
    [databaseName]: fileSchema,
    [signingKeyName]: smallFileSchema,
    [settingsName]: smallFileSchema.optional(),
    [logKeyName]: smallFileSchema.optional(),
    [logCheckpointName]: smallFileSchema.optional(),
  }),
  counts: z.strictObject({
    people: size,
    releases: size,
    packages: size,
    packageBytes: size,
    pictures: size.optional(),
    pictureBytes: size.optional(),
  }),
})

/** The manifest of a backup, its first entry. */
export type BackupContent = z.infer<typeof contentSchema>
export type BackupFile = z.infer<typeof fileSchema>

/** The text of the first entry; its last member is the digest of the others. */
export function writeManifest(content: BackupContent): string {
  // Parsing puts the members in a fixed order.
  const ordered = contentSchema.parse(content)
  const sha256 = createHash('sha256').update(JSON.stringify(ordered)).digest('hex')
  return `${JSON.stringify({ ...ordered, sha256 }, null, 2)}\n`
}

/** Throws a Refusal unless every byte is as written by `writeManifest`. */
export function readManifest(bytes: Buffer): BackupContent {
  const text = bytes.toString()
  const content = parse(text)
  if (content === null || writeManifest(content) !== text) {
    throw new Refusal(`${manifestName}: it has been changed`)
  }
  return content
}

function parse(text: string): BackupContent | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const found = z
    .looseObject({ format: z.literal('skilldock-backup'), formatVersion: z.int() })
    .safeParse(value)
  if (!found.success) return null
  const { sha256: _digest, ...content } = found.data
  const result = contentSchema.safeParse(content)
  if (result.success) return result.data
  if (found.data.formatVersion > 3) {
    throw new Refusal(
      `${manifestName}: the backup has format ${found.data.formatVersion}, which requires a newer Skilldock.`,
    )
  }
  return null
}
