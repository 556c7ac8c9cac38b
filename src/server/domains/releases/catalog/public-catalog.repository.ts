import { anyValue, repository } from '../../../db/repository.ts'
import { deprecationOf } from '../maintenance/release-states.repository.ts'
import { validJson } from '../../../db/valid-json.ts'
import { prepareSearch, toStep } from './walk-steps.repository.ts'
import type { Candidate } from './walk-steps.repository.ts'

export interface ListedRow {
  id: number
  /** A RegistryVersion, as JSON. */
  body: Buffer
  /** JSON array of the host functions that the module imports; null if they were not recorded. */
  imports: string | null
  decidedAt: string
  /** A Deprecation, as JSON; null if it is not deprecated. */
  deprecation: string | null
}

interface VersionRow {
  id: number
  version: string
  decidedAt: string
  reason: string
}

/** Maximum number of versions listed on the page of a skill. */
const listedVersions = 50

/** Whether no release of the same name with a higher id is approved. */
const isLatest = `NOT EXISTS (
  SELECT 1 FROM releases n INDEXED BY releases_latest WHERE n.name = r.name AND n.status = 'approved' AND n.id > r.id)`

const columns = `r.id, b.body, json_extract(${validJson('m.facts')}, '$.imports') AS imports, d.decided_at AS decidedAt,
  ${deprecationOf} AS deprecation`
const joined = `CROSS JOIN release_bodies b ON b.release_id = r.id CROSS JOIN decisions d ON d.id = r.last_decision
  LEFT JOIN release_modules m ON m.release_id = r.id`

/**
 * The listed data of approved releases. The ids are found first, before any wide row is read: `CROSS JOIN` forces that
 * order and `NOT INDEXED` the lookup by id, independent of SQLite's statistics.
 */
const rows = (ids: string): string =>
  `SELECT ${columns} FROM (${ids}) found CROSS JOIN releases r NOT INDEXED ON r.id = found.id ${joined}
   WHERE r.status = 'approved' ORDER BY found.id DESC`

/** Approved releases below an id, read from an index, and whether each is the latest of its name. */
const latestStep = (index: string, condition: string): string =>
  `SELECT r.id, ${isLatest} AS isFound FROM releases r INDEXED BY ${index}
   WHERE ${condition} AND r.id < ? ORDER BY r.id DESC LIMIT ?`

/** All SQL for the public pages' lists, which show the latest approved release of each skill. */
export const publicCatalogRepository = repository((sql) => {
  const stepLatest = sql.list<[before: number, candidates: number], Candidate>(
    latestStep('releases_catalog', "r.status = 'approved'"),
  )
  const stepOfOwner = sql.list<[owner: number, before: number, candidates: number], Candidate>(
    latestStep('releases_owner_status', "r.owner_id = ? AND r.status = 'approved'"),
  )
  const search = prepareSearch(
    sql,
    `instr(t.text, ?) > 0 AND instr(t.text, ?) > 0
     AND (SELECT ${isLatest} FROM releases r NOT INDEXED WHERE r.id = t.release_id)`,
  )

  return {
    stepLatest: (before: number, candidates: number) => toStep(stepLatest(before, candidates), candidates),
    /** Releases whose text contains both terms. */
    stepSearch: (grams: string, term: string, other: string) => search(grams, [term, other]),
    stepOfOwner: (ownerId: number, before: number, candidates: number) =>
      toStep(stepOfOwner(ownerId, before, candidates), candidates),
    /** Newest first. */
    listByIds: sql.listIn<number, ListedRow>(rows('SELECT value AS id FROM json_each(?)')),
    find: sql.find<[name: string, version: string], ListedRow>(`
      SELECT ${columns} FROM releases r ${joined}
      WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status = 'approved'`),
    findLatestVersion: sql.findValue<[name: string], string>(`
      SELECT version FROM releases INDEXED BY releases_latest
      WHERE name = ${anyValue} AND status = 'approved' ORDER BY id DESC LIMIT 1`),
    listVersions: sql.list<[name: string], VersionRow>(`
      SELECT r.id, r.version, d.decided_at AS decidedAt, d.reason
      FROM releases r INDEXED BY releases_latest JOIN decisions d ON d.id = r.last_decision
      WHERE r.name = ${anyValue} AND r.status = 'approved' ORDER BY r.id DESC LIMIT ${listedVersions}`),
    countNames: sql.count<[]>(
      "SELECT count(DISTINCT name) FROM releases INDEXED BY releases_latest WHERE status = 'approved'",
    ),
  }
})
