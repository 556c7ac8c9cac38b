import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { createImageRepository } from './images.repository.ts'
import { createHourlyLimit, networkOf } from './upload-limits.rules.ts'

/** Milliseconds after which a stranger's picture that nothing uses is removed. */
export const unusedPictureMs = 86_400_000

export interface StrangerLimitsParts {
  database: Database
  /** The settings as they are at each moment (rulings, "Upload limits"). */
  config: Readonly<{ showcaseUploadsPerHour: number; showcaseUnusedBytes: number }>
  clock?: () => Date
}

export interface StrangerLimits {
  /** See `reserveForStranger` in images.service.ts. */
  reserve(address: string, maxBytes: number): () => void
}

/** Keeps strangers from filling the disk and the processor. */
export function createStrangerLimits({
  database,
  config,
  clock = () => new Date(),
}: StrangerLimitsParts): StrangerLimits {
  const images = createImageRepository(database.reader)
  const hourly = createHourlyLimit(() => config.showcaseUploadsPerHour)
  let reserved = 0

  const assertRoom = (wanted: number): void => {
    const { bytes, oldest } = images.sumUnused()
    if (bytes + reserved + wanted <= config.showcaseUnusedBytes) return
    const freeAt = oldest === null ? 0 : Date.parse(oldest) + unusedPictureMs - clock().getTime()
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      'There are too many pictures that no project uses yet; those are removed after a day. Try again later.',
      { retryAfter: Math.max(60, Math.ceil(freeAt / 1000)) },
    )
  }

  return {
    reserve(address, maxBytes) {
      database.assertAvailable()
      assertRoom(maxBytes)
      const wait = hourly.count(networkOf(address), clock().getTime())
      if (wait > 0) {
        throw new DomainError(
          'TOO_MANY_REQUESTS',
          `From your address came ${config.showcaseUploadsPerHour} pictures within the hour, which is the limit. ` +
            `The next one is possible in ${Math.ceil(wait / 60)} min.`,
          { retryAfter: wait },
        )
      }
      reserved += maxBytes
      let isHeld = true
      return () => {
        if (isHeld) reserved -= maxBytes
        isHeld = false
      }
    },
  }
}
