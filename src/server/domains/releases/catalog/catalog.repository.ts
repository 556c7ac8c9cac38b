import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { pageSize } from '../../../../shared/contracts/releases.ts'
import type { Connection } from '../../../db/database.ts'
import { dataVersionOf } from '../../../db/data-version.ts'
import { anyValue, preparedOnce } from '../../../db/prepared-once.ts'
import { validJson } from '../../../db/valid-json.ts'
import { prepareSearch } from './walk-steps.repository.ts'

/** Leaves out damaged bodies; a single one would make the whole list unreadable. */
const isReadable = `json_extract(${validJson('CAST(body AS TEXT)')}, '$.manifest.name') IS NOT NULL`

/** A RegistryList (section 2.3) as bytes, from the bodies of a subquery in the subquery's order. */
const list = (rows: string): string =>
  `SELECT CAST('{"items":[' || coalesce(group_concat(body, ',') FILTER (WHERE ${isReadable}), '') || ']}' AS BLOB)
   FROM (${rows})`

/** A page of releases matching a condition, newest first. Scans a narrow index before reading any body. */
const page = (condition: string): string =>
  list(`SELECT b.body FROM (
      SELECT id FROM releases WHERE ${condition} ORDER BY id DESC LIMIT ${pageSize} OFFSET ?
    ) r JOIN release_bodies b ON b.release_id = r.id ORDER BY r.id DESC`)

/** All SQL that returns serialized responses, prepared on the reading connection. */
export const catalogRepository = preparedOnce((connection: Connection) => {
  const bytes = <Parameters extends unknown[]>(sql: string) =>
    connection.prepare<Parameters, Buffer>(sql).pluck()

  const generation = connection.prepare<[], number>('SELECT n FROM catalog_generation WHERE one = 1').pluck()
  const release = bytes<[string, string]>(
    `SELECT b.body FROM releases r JOIN release_bodies b ON b.release_id = r.id
     WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status = 'approved'`,
  )
  const latest = bytes<[string]>(
    `SELECT body FROM release_bodies WHERE release_id = (
       SELECT id FROM releases INDEXED BY releases_latest
       WHERE name = ${anyValue} AND status = 'approved' ORDER BY id DESC LIMIT 1)`,
  )
  const manifest = bytes<[string, string]>(
    `SELECT m.manifest FROM releases r JOIN release_manifests m ON m.release_id = r.id
     WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status = 'approved'`,
  )
  const approvedPage = bytes<[number, number]>(
    page("status = 'approved' AND id < ?").replace(
      'FROM releases',
      'FROM releases INDEXED BY releases_catalog',
    ),
  )
  const approvedId = connection
    .prepare<[number, number], number>(
      `SELECT id FROM releases INDEXED BY releases_catalog WHERE status = 'approved' AND id < ?
       ORDER BY id DESC LIMIT 1 OFFSET ?`,
    )
    .pluck()
  const search = prepareSearch(connection, 'instr(t.text, ?) > 0')
  const pageOfIds = bytes<[string]>(
    list(`SELECT b.body FROM json_each(?) page CROSS JOIN releases r NOT INDEXED ON r.id = page.value
      JOIN release_bodies b ON b.release_id = r.id WHERE r.status = 'approved' ORDER BY r.id DESC`),
  )
  const ownPage = bytes<[number, number]>(page('owner_id = ?'))
  const everyPage = bytes<[number]>(page('1'))
  const statusPage = bytes<[string, number]>(page('status = ?'))

  return {
    dataVersion: dataVersionOf(connection),
    /** Changes whenever publicly visible data changes. */
    generation: () => generation.get(),
    findRelease: (name: string, version: string) => release.get(name, version) ?? null,
    findLatest: (name: string) => latest.get(name) ?? null,
    findManifest: (name: string, version: string) => manifest.get(name, version) ?? null,
    /** A page of approved releases with ids below `before`, after the first `offset` of them. */
    listApproved: (before: number, offset: number) => bytesOf(approvedPage.get(before, offset)),
    /** The id after the first `offset` approved releases below `before`. */
    findApprovedId: (before: number, offset: number) => approvedId.get(before, offset) ?? null,
    searchStep: (grams: string, term: string) => search(grams, [term]),
    /** Only the approved ones among these releases. */
    listByIds: (ids: readonly number[]) => bytesOf(pageOfIds.get(JSON.stringify(ids))),
    listOwn: (ownerId: number, offset: number) => bytesOf(ownPage.get(ownerId, offset)),
    listReviews: (status: ReleaseStatus | undefined, offset: number) =>
      bytesOf(status === undefined ? everyPage.get(offset) : statusPage.get(status, offset)),
  }
})

function bytesOf(value: Buffer | undefined): Buffer {
  if (value === undefined) throw new Error('An aggregate query always returns a row')
  return value
}
