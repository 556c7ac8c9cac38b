import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { pageSize } from '../../../../shared/contracts/releases.ts'
import { anyValue, repository } from '../../../db/repository.ts'
import { dataVersionOf } from '../../../db/data-version.ts'
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

/** Ids of a page of releases and of one more, after the first ones. */
const idsOf = (condition: string): string =>
  `SELECT id FROM releases ${condition} ORDER BY id DESC LIMIT ${pageSize + 1} OFFSET ?`

/** All SQL that returns serialized responses. */
export const catalogRepository = repository((sql, connection) => {
  const search = prepareSearch(sql, 'instr(t.text, ?) > 0')
  const approved = sql.getValue<[ids: string], Buffer>(listByIds("r.status = 'approved'"))
  const anyStatus = sql.getValue<[ids: string], Buffer>(listByIds('1'))
  const everyId = sql.listValues<[offset: number], number>(idsOf(''))
  const idsWithStatus = sql.listValues<[status: ReleaseStatus, offset: number], number>(
    idsOf('WHERE status = ?'),
  )

  return {
    dataVersion: dataVersionOf(connection),
    /** Changes whenever publicly visible data changes. */
    generation: sql.count<[]>('SELECT n FROM catalog_generation WHERE one = 1'),
    countRevoked: sql.count<[]>("SELECT count(*) FROM releases WHERE status = 'revoked'"),
    findRelease: sql.findValue<[name: string, version: string], Buffer>(`
      SELECT b.body FROM releases r JOIN release_bodies b ON b.release_id = r.id
      WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status = 'approved'`),
    findLatest: sql.findValue<[name: string], Buffer>(`
      SELECT body FROM release_bodies WHERE release_id = (
        SELECT id FROM releases INDEXED BY releases_latest
        WHERE name = ${anyValue} AND status = 'approved' ORDER BY id DESC LIMIT 1)`),
    findManifest: sql.findValue<[name: string, version: string], Buffer>(`
      SELECT m.manifest FROM releases r JOIN release_manifests m ON m.release_id = r.id
      WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status = 'approved'`),
    /** Those of approved releases below `before`. */
    listApprovedIds: sql.listValues<[before: number, offset: number], number>(
      idsOf("INDEXED BY releases_catalog WHERE status = 'approved' AND id < ?"),
    ),
    /** Those of all releases of an owner. */
    listOwnIds: sql.listValues<[ownerId: number, offset: number], number>(idsOf('WHERE owner_id = ?')),
    /** Those of all releases, or of those in one status. */
    listReviewIds: (status: ReleaseStatus | undefined, offset: number) =>
      status === undefined ? everyId(offset) : idsWithStatus(status, offset),
    searchStep: (grams: string, term: string) => search(grams, [term]),
    /** Only the approved ones among these releases. */
    listApproved: (these: readonly number[]) => approved(JSON.stringify(these)),
    listAnyStatus: (these: readonly number[]) => anyStatus(JSON.stringify(these)),
  }
})
