import { existsSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { replaceFile } from '../../files/durable-files.ts'
import { ownEnvironment } from '../settings/config.ts'
import { parseStorageLocation } from '../settings/storage-location.ts'
import type { BucketLocation } from '../storage/bucket.ts'

const markerSchema = z.strictObject({ storage: z.string() })

/** The path of a data folder's marker. */
interface MarkerPath {
  storage: string
}

/**
 * The bucket with the packages and images of a data folder, as `s3://BUCKET/PREFIX`, or null if they are in the folder.
 * The folder says so itself: another value of `SKILLDOCK_STORAGE` must not make the files of its rows unreachable.
 */
export function markedStorage({ storage }: MarkerPath): string | null {
  if (!existsSync(storage)) return null
  return markerSchema.parse(JSON.parse(readFileSync(storage, 'utf8'))).storage
}

export function markStorage({ storage }: MarkerPath, url: string | null): void {
  if (url === null) rmSync(storage, { force: true })
  else replaceFile(storage, `${JSON.stringify({ storage: url })}\n`)
}

/** The same with the credentials of the environment. Throws a ConfigError if they are missing. */
export function storageOf(paths: MarkerPath): BucketLocation | null {
  const url = markedStorage(paths)
  return url === null ? null : parseStorageLocation(url, ownEnvironment())
}
