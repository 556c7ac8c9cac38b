import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { catalogRepository } from '../domains/releases/catalog/catalog.repository.ts'
import { publicCatalogRepository } from '../domains/releases/catalog/public-catalog.repository.ts'
import { evidenceRepository } from '../domains/releases/decisions/evidence.repository.ts'
import { createModelDatabase } from './migrate.ts'

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
