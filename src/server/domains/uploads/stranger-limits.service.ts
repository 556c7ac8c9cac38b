import { DomainError } from '../../../shared/errors.ts'
import { createPastTimes } from '../../../shared/past-times.ts'
import type { Database } from '../../db/database.ts'
import { createImageRepository } from './images.repository.ts'
import { createConcurrencyLimit, createHourlyLimit, networkOf } from './upload-limits.rules.ts'

/** Milliseconds after which a stranger's picture that nothing uses is removed. */
export const unusedPictureMs = 86_400_000

/** Pictures that one address may be sending at once: as many as one project has. */
const uploadsAtOnce = 6
/** Seconds that an address is asked to wait for a place, and everybody for decisions, which have no time. */
const placeSeconds = 10
const decisionSeconds = 3600

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
  const atOnce = createConcurrencyLimit(uploadsAtOnce)
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

  const takePlace = (network: string): (() => void) => {
    const free = atOnce.take(network)
    if (free !== null) return free
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      `From your address ${uploadsAtOnce} pictures are on their way already, which is the limit. ` +
        `Send this one when one of them has arrived; try again in ${placeSeconds} s.`,
      { retryAfter: placeSeconds },
    )
  }

  const countOne = (network: string): void => {
    const wait = hourly.count(network, performance.now())
    if (wait === 0) return
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      `From your address came ${config.showcaseUploadsPerHour} pictures within the hour, which is the limit. ` +
        `The next one is possible in ${Math.ceil(wait / 60)} min.`,
      { retryAfter: wait },
    )
  }

  return {
    reserve(address, maxBytes) {
      database.assertAvailable()
      const network = networkOf(address)
      const free = takePlace(network)
      try {
        assertRoom(maxBytes)
        countOne(network)
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
