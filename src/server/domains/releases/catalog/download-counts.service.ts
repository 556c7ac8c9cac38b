import type { Database } from '../../../db/database.ts'
import { isUnavailable, persist } from '../../../db/persist.ts'
import type { Logger } from '../../../operations/logging.ts'
import { downloadRepository } from './downloads.repository.ts'

/** Milliseconds for which downloads are gathered before they are written. */
const lotMs = 1000

/**
 * Complete downloads, counted in memory and written in lots, so that none costs a write of its own. A lot that
 * could not be written stays in memory for the next one.
 */
export function createDownloadCounts(database: Database, log: Logger) {
  const writing = downloadRepository(database.writer)
  const reading = downloadRepository(database.reader)
  const counted = new Map<number, number>()
  let timer: NodeJS.Timeout | null = null

  const add = (releaseId: number, n: number): void => {
    counted.set(releaseId, (counted.get(releaseId) ?? 0) + n)
  }

  const write = async (): Promise<void> => {
    if (counted.size === 0) return
    let lot: [number, number][] = []
    try {
      await database.transact(() => {
        // What is counted while this waits for the lock goes along, and no other lot can hold it too.
        lot = [...counted]
        counted.clear()
        for (const [releaseId, n] of lot) writing.add(releaseId, n)
      })
    } catch (error) {
      for (const [releaseId, n] of lot) add(releaseId, n)
      throw error
    }
  }

  const writeSoon = (): void => {
    if (timer !== null || counted.size === 0) return
    timer = setTimeout(() => {
      write()
        .catch((error: unknown) => {
          if (!isUnavailable(error)) log.error({ err: error }, 'downloads could not be counted')
        })
        .finally(() => {
          timer = null
          writeSoon()
        })
    }, lotMs)
    timer.unref()
  }

  return {
    /** Notes one complete download. */
    count(releaseId: number): void {
      add(releaseId, 1)
      writeSoon()
    },

    /** How many there were, up to the last lot. */
    countOf: (releaseId: number) => reading.count(releaseId),

    /** For a stop: writes what is still in memory. Never throws. */
    async flush(): Promise<void> {
      try {
        await persist(write)
      } catch (error) {
        log.error({ err: error, releases: counted.size }, 'the last downloads could not be counted')
      }
    },
  }
}

export type DownloadCounts = ReturnType<typeof createDownloadCounts>
