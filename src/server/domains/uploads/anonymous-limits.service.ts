import { DomainError } from '../../../shared/errors.ts'
import { createPastTimes } from '../../../shared/past-times.ts'
import type { Database } from '../../db/database.ts'
import { imageRepository } from './images.repository.ts'
import { createHourlyLimit } from './upload-rate.rules.ts'
import { texts } from './uploads.texts.ts'

/** Milliseconds after which an unused anonymous upload is deleted. */
export const unusedImageMs = 86_400_000

/** `Retry-After` in seconds while only an editor's decision can free space. */
const decisionSeconds = 3600

interface AnonymousLimitsParts {
  database: Database
  /** The current settings (rulings, "Upload limits"). */
  config: Readonly<{ showcaseUploadsPerHour: number; showcaseUnusedBytes: number }>
  slots: UploadSlots
  clock?: () => Date
}

/** Limits how many images are uploaded at the same time, in total and for each client. */
interface UploadSlots {
  /** Throws TOO_MANY_REQUESTS. The returned function releases the slot. */
  take(client: string): () => void
}

/** Prevents anonymous uploads from exhausting the disk or the CPU. */
export function createAnonymousLimits({
  database,
  config,
  slots,
  clock = () => new Date(),
}: AnonymousLimitsParts) {
  const images = imageRepository(database.reader)
  const hourly = createHourlyLimit(() => config.showcaseUploadsPerHour)
  const readPastTime = createPastTimes()
  let reserved = 0

  const assertSpace = (needed: number): void => {
    const { bytes, oldest } = images.sumUnapproved()
    if (bytes + reserved + needed <= config.showcaseUnusedBytes) return
    const now = clock()
    const freeIn = oldest === null ? null : readPastTime(oldest, now) + unusedImageMs - now.getTime()
    throw new DomainError('TOO_MANY_REQUESTS', texts.noSpace, {
      retryAfter: freeIn === null ? decisionSeconds : Math.max(60, Math.ceil(freeIn / 1000)),
    })
  }

  const countOne = (client: string): void => {
    const wait = hourly.count(client, performance.now())
    if (wait === 0) return
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      texts.hourlyLimit(config.showcaseUploadsPerHour, Math.ceil(wait / 60)),
      { retryAfter: wait },
    )
  }

  return {
    /**
     * Throws TOO_MANY_REQUESTS if this client has too many uploads in progress or within the hour, or if anonymous uploads
     * take too much space. Otherwise counts one upload. Call the returned function when the image has been stored or
     * rejected.
     */
    reserve(client: string, maxBytes: number): () => void {
      database.assertAvailable()
      const releaseSlot = slots.take(client)
      try {
        assertSpace(maxBytes)
        countOne(client)
      } catch (error) {
        releaseSlot()
        throw error
      }
      reserved += maxBytes
      let isHeld = true
      return () => {
        if (isHeld) reserved -= maxBytes
        isHeld = false
        releaseSlot()
      }
    },
  }
}

export type AnonymousLimits = ReturnType<typeof createAnonymousLimits>
