import { DomainError } from '../../../shared/errors.ts'
import { createPastTimes } from '../../../shared/past-times.ts'
import type { Database } from '../../db/database.ts'
import { imageRepository } from './images.repository.ts'
import { createHourlyLimit } from './upload-limits.rules.ts'

/** Milliseconds after which a stranger's picture that nothing uses is removed. */
export const unusedPictureMs = 86_400_000

/** Seconds that everybody is asked to wait for decisions, which have no time. */
const decisionSeconds = 3600

export interface StrangerLimitsParts {
  database: Database
  /** The settings as they are at each moment (rulings, "Upload limits"). */
  config: Readonly<{ showcaseUploadsPerHour: number; showcaseUnusedBytes: number }>
  slots: UploadSlots
  clock?: () => Date
}

/** Limits how many images are on their way at once, in total and for each client. */
export interface UploadSlots {
  /** Throws TOO_MANY_REQUESTS; the returned function frees the slot. */
  take(client: string): () => void
}

export interface StrangerLimits {
  /** See `reserveForStranger` in images.service.ts. */
  reserve(client: string, maxBytes: number): () => void
}

/** Keeps strangers from filling the disk and the processor. */
export function createStrangerLimits({
  database,
  config,
  slots,
  clock = () => new Date(),
}: StrangerLimitsParts): StrangerLimits {
  const images = imageRepository(database.reader)
  const hourly = createHourlyLimit(() => config.showcaseUploadsPerHour)
  const readPastTime = createPastTimes()
  let reserved = 0

  const assertRoom = (wanted: number): void => {
    const { bytes, oldest } = images.sumUnapproved()
    if (bytes + reserved + wanted <= config.showcaseUnusedBytes) return
    const now = clock()
    const freeIn = oldest === null ? null : readPastTime(oldest, now) + unusedPictureMs - now.getTime()
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      'There is no room for more pictures: too many belong to no approved project. Those that no project uses go ' +
        'after a day; for the others an administrator has to approve waiting projects, or reject and delete them. ' +
        'Try again later, or submit your project without pictures.',
      { retryAfter: freeIn === null ? decisionSeconds : Math.max(60, Math.ceil(freeIn / 1000)) },
    )
  }

  const countOne = (client: string): void => {
    const wait = hourly.count(client, performance.now())
    if (wait === 0) return
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      `You have reached the limit of ${config.showcaseUploadsPerHour} images per hour. ` +
        `The next one is possible in ${Math.ceil(wait / 60)} min.`,
      { retryAfter: wait },
    )
  }

  return {
    reserve(client, maxBytes) {
      database.assertAvailable()
      const free = slots.take(client)
      try {
        assertRoom(maxBytes)
        countOne(client)
      } catch (error) {
        free()
        throw error
      }
      reserved += maxBytes
      let isHeld = true
      return () => {
        if (isHeld) reserved -= maxBytes
        isHeld = false
        free()
      }
    },
  }
}
