import type { Database } from '../../../db/database.ts'
import { isUnavailable, persist } from '../../../db/persist.ts'
import type { Logger } from '../../../operations/logging.ts'
import { downloadRepository } from './downloads.repository.ts'
import { logTexts } from '../../../operations/log.texts.ts'

/** Milliseconds for which downloads are collected before they are written. */
const batchMs = 1000

/**
 * Counts completed downloads in memory and writes them in batches, to avoid one write per download. The counts of a
 * batch that could not be written are added to the next one.
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
    let batch: [number, number][] = []
    try {
      await database.transact(() => {
        // Taken inside the transaction, to include what was counted while waiting for the lock, and only once.
        batch = [...counted]
        counted.clear()
        for (const [releaseId, n] of batch) writing.add(releaseId, n)
      })
    } catch (error) {
      for (const [releaseId, n] of batch) add(releaseId, n)
      throw error
    }
  }

  const writeSoon = (): void => {
    if (timer !== null || counted.size === 0) return
    timer = setTimeout(() => {
      write()
        .catch((error: unknown) => {
          if (!isUnavailable(error)) log.error({ err: error }, logTexts.downloadsNotWritten)
        })
        .finally(() => {
          timer = null
          writeSoon()
        })
    }, batchMs)
    timer.unref()
  }

  return {
    /** Counts one completed download. */
    count(releaseId: number): void {
      add(releaseId, 1)
      writeSoon()
    },

    /** The number of downloads, up to the last batch. */
    countOf: (releaseId: number) => reading.count(releaseId),

    /** On shutdown: writes the remaining counts. Never throws. */
    async flush(): Promise<void> {
      try {
        await persist(write)
      } catch (error) {
        log.error({ err: error, releases: counted.size }, logTexts.lastDownloadsNotWritten)
      }
    },
  }
}

export type DownloadCounts = ReturnType<typeof createDownloadCounts>
