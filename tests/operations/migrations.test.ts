import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { verifyFolder } from '../../src/server/backup/verify-folder.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { newestVersion } from '../../src/server/db/migrate.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { askOci, pull } from '../support/server/oci.ts'
import { call } from '../support/server/publish.ts'
import { dumpedVersions, dumpsFolder, loadDump } from '../support/server/schema-dumps.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

const versions = dumpedVersions()
const releasesOf = (version: number): string[] => [
  'upper-case 1.0.0 approved',
  'upper-case 1.1.0 revoked',
  'upper-case 1.2.0 approved',
  'upper-case 1.3.0 rejected',
  'upper-case 1.4.0 pending',
  'lower-case 1.0.0 pending',
  'count-lines 1.0.0 approved',
  ...(version >= 12 ? ['reported 1.0.0 rejected'] : []),
]

interface Release {
  name: string
  version: string
  status: string
  sha256: string
  publisher: string
}

test('each version before the newest has a dump; otherwise run tests/support/server/dump-schemas.ts', () => {
  const former = Array.from({ length: newestVersion - 1 }, (_, index) => index + 1)
  expect(versions).toEqual(expect.arrayContaining(former))
})

describe.each(versions)('a data folder of schema version %i', (version) => {
  let app: TestServer
  afterEach(() => app.stop())
  afterAll(cleanUp)

  test('is backed up and migrated at start, is complete, and passes verify', async () => {
    const folder = temporaryFolder()
    const paths = dataPaths(folder)
    cpSync(join(dumpsFolder, 'packages'), paths.packages, { recursive: true })
    if (version >= 4) cpSync(join(dumpsFolder, 'pictures'), paths.pictures, { recursive: true })
    loadDump(version, paths.database)
    app = await startTestServer({ folder })

    const token = await app.token({ subject: 'rita' })
    const list = `${app.registry}/api/marketplace/review`
    const { items } = (await call<{ items: Release[] }>(list, { token })).body
    const shown = items.map((item) => `${item.name} ${item.version} ${item.status}`)
    expect(shown.toSorted()).toEqual(releasesOf(version).toSorted())
    const catalog = await call<{ items: Release[] }>(`${app.registry}/api/marketplace/skills?q=case`)
    expect(catalog.body.items).toMatchObject(
      ['1.2.0', '1.0.0'].map((number) => ({ name: 'upper-case', version: number, publisher: 'Alice' })),
    )
    const download = await fetch(`${app.registry}/api/marketplace/skills/upper-case/1.0.0/package`)
    const bytes = Buffer.from(await download.arrayBuffer())
    expect(bytes).toEqual(readFileSync(join(paths.packages, catalog.body.items[0]?.sha256 ?? '')))

    const { byDigest } = await pull(app.registry, 'upper-case', '1.0.0')
    for (const path of Object.values(byDigest)) {
      expect([path, (await askOci(app.registry, path)).status]).toEqual([path, 200])
    }

    const desk = await signIn(app, 'rita')
    const queue = await desk.get<{ items: Release[] }>('/releases?view=pending')
    expect(queue.body.items.map(({ name }) => name).toSorted()).toEqual(['lower-case', 'upper-case'])
    const [blog, showcase] = await Promise.all(
      ['/blog/published', '/showcase'].map(async (path) => (await fetch(app.registry + path)).text()),
    )
    expect(blog?.includes('Published post')).toBe(version >= 4)
    expect(showcase?.includes('Approved project')).toBe(version >= 4)

    const { items: events } = (await desk.get<{ items: AuditEntry[] }>('/history?kind=releases')).body
    // Each release was submitted; all but two were decided, and one of those twice.
    const kinds = Map.groupBy(events, ({ kind }) => kind)
    expect([...kinds].map(([kind, { length }]) => `${kind} ${length}`).toSorted()).toEqual([
      'approved 4',
      ...(version >= 13 ? ['deprecated 1'] : []),
      `rejected ${version >= 12 ? 2 : 1}`,
      'revoked 1',
      `submitted ${releasesOf(version).length}`,
    ])
    const added = (await desk.get<{ items: AuditEntry[] }>('/history?kind=person.added')).body.items
    expect(added.map(({ name }) => name).toSorted()).toEqual(['alice', 'carol', 'rita'])

    const problems: string[] = []
    const onFound = ({ problem }: { problem: string }): void => void problems.push(problem)
    await verifyFolder(paths, {
      onFound,
      onProgress: () => {},
      onOrphan: (name) => void problems.push(`unused file ${name}`),
    })
    expect(problems).toEqual([])
    expect(backedUpVersions(paths.backups)).toEqual(version < newestVersion ? [version] : [])
  })
})

/** The schema versions of the databases in the folder, each with the expected rows. */
function backedUpVersions(folder: string): unknown[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((name) => {
    const database = new Sqlite(join(folder, name), { readonly: true })
    const count = database.prepare('SELECT count(*) FROM releases').pluck().get()
    const version = Number(database.pragma('user_version', { simple: true }))
    expect(count).toBe(releasesOf(version).length)
    database.close()
    return version
  })
}
