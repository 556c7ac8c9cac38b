import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { BucketLocation } from '../storage/bucket.ts'
import type { Bucket } from '../storage/bucket.ts'
import { markedStorage, markStorage } from '../data-folder/storage-marker.ts'
import type { AllCounts } from './stored-files.ts'
import { storageTexts as texts } from './storage.texts.ts'

/** The object that names the registry to which a prefix belongs. */
const ownerKey = 'skilldock.json'

/**
 * Accepts the place that the environment names for the files of a data folder, or refuses it. A registry without files may start with a
 * bucket; one with files must be moved by `skilldock storage migrate`. Throws a Refusal.
 */
export async function adoptStorage(
  paths: DataPaths,
  location: BucketLocation | null,
  registry: string,
  { packages, pictures }: Pick<AllCounts, 'packages' | 'pictures'>,
): Promise<void> {
  const [marked, wanted] = [markedStorage(paths), location?.url ?? null]
  if (marked === wanted) return
  if (location === null || marked !== null || packages + pictures > 0)
    throw new Refusal(texts.elsewhere(marked ?? paths.folder, wanted))
  const { openBucket } = await import('../storage/bucket.ts')
  await claimBucket(openBucket(location), registry)
  markStorage(paths, wanted)
}

/**
 * Claims a prefix for a registry, which is named by the id of its signing key. Throws a Refusal if it belongs to another
 * one: each would remove the files of the other as unused.
 */
export async function claimBucket(bucket: Bucket, registry: string): Promise<void> {
  const claim = `${JSON.stringify({ registry })}\n`
  if ((await bucket.replace(ownerKey, claim, null)) !== null) return
  if ((await bucket.getText(ownerKey))?.text !== claim) throw new Refusal(texts.otherRegistry(bucket.url))
}
