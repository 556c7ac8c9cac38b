import { releaseRepository } from '../domains/releases/releases.repository.ts'
import { imageRepository } from '../domains/uploads/images.repository.ts'
import { logTexts } from '../operations/log.texts.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import type { RecurringTask } from '../operations/recurring-task.ts'
import type { ServerParts } from './server-parts.ts'

type SweepParts = Pick<ServerParts, 'database' | 'files' | 'imageFiles' | 'log'>

/** Milliseconds before and between sweeps of a bucket. */
const [firstMs, everyMs] = [60_000, 86_400_000]

/** Removes packages and images that no row refers to. */
export async function sweepStores({ database, files, imageFiles, log }: SweepParts): Promise<void> {
  const packages = await files.sweep(releaseRepository(database.reader).isDigestUsed)
  if (packages > 0) log.info({ files: packages }, logTexts.packagesSwept)
  const images = await imageFiles.sweep(imageRepository(database.reader).isStored)
  if (images > 0) log.info({ files: images }, logTexts.imageFilesSwept)
}

/** The same for a bucket, in the background: it may have many objects, or not answer. */
export function createBucketSweeping(parts: SweepParts): RecurringTask {
  return createRecurringTask(
    async () => {
      try {
        await sweepStores(parts)
      } catch (error) {
        parts.log.warn({ err: error }, logTexts.notSwept)
      }
    },
    { firstMs, everyMs },
  )
}
