import { repository } from '../../db/repository.ts'

/** Totals of a range of images with their renditions. */
export interface ImageAmount {
  images: number
  bytes: number
  last: string | null
}

/** Figures for the metrics; every query reads an index range or a small table. */
export const metricsRepository = repository((sql) => ({
  /** When the first release in the queue was submitted; null for an empty queue. */
  oldestPending: sql.findValue<[], string>(
    "SELECT created_at FROM releases WHERE status = 'pending' ORDER BY id LIMIT 1",
  ),
  countHeld: sql.count<[]>('SELECT count(*) FROM held_decisions'),
  /** Totals of the images with higher digests. */
  measureImagesAfter: sql.get<[sha256: string, limit: number], ImageAmount>(`
    SELECT count(*) AS images, max(sha256) AS last, coalesce(sum(size + (
      SELECT coalesce(sum(r.size), 0) FROM renditions r WHERE r.image = i.sha256
    )), 0) AS bytes
    FROM (SELECT sha256, size FROM images WHERE sha256 > ? ORDER BY sha256 LIMIT ?) i`),
}))
