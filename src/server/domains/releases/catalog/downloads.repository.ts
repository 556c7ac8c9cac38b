import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'

/** All SQL about download counts. */
export const downloadRepository = preparedOnce((connection: Connection) => {
  const add = connection.prepare<[number, number]>(
    `INSERT INTO release_downloads (release_id, n) VALUES (?, ?)
     ON CONFLICT (release_id) DO UPDATE SET n = n + excluded.n`,
  )
  const count = connection
    .prepare<[number], number>('SELECT n FROM release_downloads WHERE release_id = ?')
    .pluck()

  return {
    add: (releaseId: number, n: number) => add.run(releaseId, n),
    count: (releaseId: number) => count.get(releaseId) ?? 0,
  }
})
