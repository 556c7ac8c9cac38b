import { expect, test, vi } from 'vitest'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { catalogRepository } from '../domains/releases/catalog/catalog.repository.ts'
import { publicCatalogRepository } from '../domains/releases/catalog/public-catalog.repository.ts'
import { evidenceRepository } from '../domains/releases/decisions/evidence.repository.ts'
import { createModelDatabase } from './migrate.ts'
import { repository } from './repository.ts'

const connection = createModelDatabase()
const catalog = catalogRepository(connection)
const publicCatalog = publicCatalogRepository(connection)
const evidence = evidenceRepository(connection)

const timeOf = (work: (n: number) => unknown): number =>
  Math.min(
    ...[1, 2, 3].map(() =>
      cpuTimeOf(() => {
        for (let n = 0; n < 2000; n += 1) work(n)
      }),
    ),
  )

test.each<[string, (n: number) => unknown]>([
  ['the body of a release', (n) => catalog.findRelease(`name-${n}`, '1.0.0')],
  ['the body of the latest release', (n) => catalog.findLatest(`name-${n}`)],
  ['the latest version', (n) => publicCatalog.findLatestVersion(`name-${n}`)],
  ['a manifest', (n) => catalog.findManifest(`name-${n}`, '1.0.0')],
  ['the release of a page', (n) => publicCatalog.find(`name-${n}`, '1.0.0')],
  ['the versions of a skill', (n) => publicCatalog.listVersions(`name-${n}`)],
  ['the review of a release', (n) => evidence.findStatement(`name-${n}`, '1.0.0')],
])('%s is found without planning the query again for each name', (_, find) => {
  const join = "SELECT 1 FROM releases r JOIN release_bodies b ON b.release_id = r.id WHERE r.name = 'a'"
  expect(timeOf(find)).toBeLessThan(timeOf(() => connection.prepare(join)) / 3)
})

test('a statement is prepared when it is first used, and then kept', () => {
  const laterRepository = repository((sql) => ({
    list: sql.listValues<[], string>('SELECT text FROM later'),
  }))
  const later = laterRepository(connection)
  expect(laterRepository(connection)).toBe(later)
  expect(() => later.list()).toThrow('no such table')
  connection.exec("CREATE TABLE later (text TEXT NOT NULL) STRICT; INSERT INTO later VALUES ('a')")
  expect(later.list()).toEqual(['a'])
  const prepare = vi.spyOn(connection, 'prepare')
  expect(later.list()).toEqual(['a'])
  expect(prepare).not.toHaveBeenCalled()
})
