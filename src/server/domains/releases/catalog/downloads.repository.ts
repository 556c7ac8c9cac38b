import { repository } from '../../../db/repository.ts'

/** All SQL about download counts. */
export const downloadRepository = repository((sql) => ({
  add: sql.run<[releaseId: number, n: number]>(`
      INSERT INTO release_downloads (release_id, n) VALUES (?, ?)
      ON CONFLICT (release_id) DO UPDATE SET n = n + excluded.n`),
  count: sql.count<[releaseId: number]>('SELECT n FROM release_downloads WHERE release_id = ?'),
}))
