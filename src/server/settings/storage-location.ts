import type { BucketLocation } from '../storage/bucket.ts'
import { ConfigError } from './config-error.ts'
import { given } from './settings.ts'
import type { Environment } from './settings.ts'
import { texts } from './settings.texts.ts'

/** The names that S3 allows for buckets, and prefixes of plain names. */
const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_.-]+)*)\/?$/

/**
 * The bucket of `SKILLDOCK_STORAGE`, or null if files are kept in the data folder. Throws a ConfigError. Only in the
 * environment, like the data folder and the credentials that belong to it.
 */
export function readStorageLocation(environment: Environment): BucketLocation | null {
  const storage = given(environment, 'SKILLDOCK_STORAGE')
  return storage === null ? null : parseStorageLocation(storage, environment)
}

export function parseStorageLocation(storage: string, environment: Environment): BucketLocation {
  const [, bucket, folder = ''] = pattern.exec(storage) ?? []
  if (bucket === undefined) throw new ConfigError(texts.start.noBucket(JSON.stringify(storage)))
  const region = given(environment, 'SKILLDOCK_S3_REGION') ?? 'us-east-1'
  const endpoint = given(environment, 'SKILLDOCK_S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.username !== '')
    throw new ConfigError(texts.start.noEndpoint(JSON.stringify(endpoint)))
  const [accessKeyId, secretAccessKey] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((name) => {
    const value = given(environment, name)
    if (value === null) throw new ConfigError(texts.start.noCredentials(name))
    return value
  }) as [string, string]
  return {
    url: `s3://${bucket}${folder}`,
    bucket,
    prefix: folder === '' ? '' : `${folder.slice(1)}/`,
    endpoint: url.origin,
    region,
    accessKeyId,
    secretAccessKey,
  }
}

/** How the database is kept in the bucket. */
export interface ReplicationSettings {
  /** The path or name of the program litestream. */
  program: string
}

/** Null if changes are acknowledged once they are on this machine (`SKILLDOCK_DURABILITY`). Throws a ConfigError. */
export function readReplication(environment: Environment): ReplicationSettings | null {
  const durability = given(environment, 'SKILLDOCK_DURABILITY') ?? 'local'
  if (durability === 'local') return null
  if (durability !== 'replicated') throw new ConfigError(texts.start.noDurability(JSON.stringify(durability)))
  if (given(environment, 'SKILLDOCK_STORAGE') === null) throw new ConfigError(texts.start.noReplicaBucket)
  return { program: litestreamOf(environment) }
}

export function litestreamOf(environment: Environment): string {
  return given(environment, 'SKILLDOCK_LITESTREAM') ?? 'litestream'
}
