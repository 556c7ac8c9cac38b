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

/** The releases with the ids of a JSON array that match a condition. */
const listByIds = (condition: string): string =>
  list(`SELECT b.body FROM json_each(?) page CROSS JOIN releases r NOT INDEXED ON r.id = page.value
    JOIN release_bodies b ON b.release_id = r.id WHERE ${condition} ORDER BY r.id DESC`)

/** All SQL that returns serialized responses, prepared on the reading connection. */
export const catalogRepository = preparedOnce((connection: Connection) => {
  const bytes = <Parameters extends unknown[]>(sql: string) =>
    connection.prepare<Parameters, Buffer>(sql).pluck()

  const generation = connection.prepare<[], number>('SELECT n FROM catalog_generation WHERE one = 1').pluck()
  const revoked = connection
    .prepare<[], number>("SELECT count(*) FROM releases WHERE status = 'revoked'")
    .pluck()
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
  const ids = <Parameters extends unknown[]>(condition: string) =>
    connection
      .prepare<Parameters, number>(
        `SELECT id FROM releases ${condition} ORDER BY id DESC LIMIT ${pageSize + 1} OFFSET ?`,
      )
      .pluck()
  const approvedIds = ids<[number, number]>(
    "INDEXED BY releases_catalog WHERE status = 'approved' AND id < ?",
  )
  const search = prepareSearch(connection, 'instr(t.text, ?) > 0')
  const approved = bytes<[string]>(listByIds("r.status = 'approved'"))
  const anyStatus = bytes<[string]>(listByIds('1'))
  const ownIds = ids<[number, number]>('WHERE owner_id = ?')
  const everyId = ids<[number]>('')
  const idsWithStatus = ids<[string, number]>('WHERE status = ?')

  return {
    dataVersion: dataVersionOf(connection),
    /** Changes whenever publicly visible data changes. */
    generation: () => generation.get(),
    countRevoked: () => revoked.get() ?? 0,
    findRelease: (name: string, version: string) => release.get(name, version) ?? null,
    findLatest: (name: string) => latest.get(name) ?? null,
    findManifest: (name: string, version: string) => manifest.get(name, version) ?? null,
    /** Ids of a page of approved releases and of one more, below `before` and after the first `offset` of them. */
    listApprovedIds: (before: number, offset: number) => approvedIds.all(before, offset),
    /** The same for all releases of an owner. */
    listOwnIds: (ownerId: number, offset: number) => ownIds.all(ownerId, offset),
    /** The same for all releases, or those in one status. */
    listReviewIds: (status: ReleaseStatus | undefined, offset: number) =>
      status === undefined ? everyId.all(offset) : idsWithStatus.all(status, offset),
    searchStep: (grams: string, term: string) => search(grams, [term]),
    /** Only the approved ones among these releases. */
    listApproved: (these: readonly number[]) => bytesOf(approved.get(JSON.stringify(these))),
    listAnyStatus: (these: readonly number[]) => bytesOf(anyStatus.get(JSON.stringify(these))),
  }
})

function bytesOf(value: Buffer | undefined): Buffer {
  if (value === undefined) throw new Error('An aggregate query always returns a row')
  return value
}
