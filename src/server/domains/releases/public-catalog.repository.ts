import type { Connection } from '../../db/database.ts'

export interface ListedRow {
  /** A RegistryVersion, as JSON. */
  body: Buffer
  /** Functions of the host that the module imports, as a JSON list; null where they were not kept. */
  imports: string | null
  decidedAt: string
}

export interface VersionRow {
  id: number
  version: string
  decidedAt: string
  notes: string
}

/** Nothing of the same name was approved that came in later. */
const isLatest = `NOT EXISTS (
  SELECT 1 FROM releases n INDEXED BY releases_latest WHERE n.name = r.name AND n.status = 'approved' AND n.id > r.id)`

const columns = `b.body, json_extract(m.facts, '$.imports') AS imports, d.decided_at AS decidedAt`
const joined = `CROSS JOIN release_bodies b ON b.release_id = r.id CROSS JOIN decisions d ON d.id = r.last_decision
  LEFT JOIN release_modules m ON m.release_id = r.id`

/**
 * What stands in a list, for ids that are found on narrow indexes before anything wide is read. `CROSS JOIN` keeps that
 * order, and `NOT INDEXED` the look-up by id, whatever SQLite thinks of the tables.
 */
const rows = (ids: string): string =>
  `SELECT ${columns} FROM (${ids}) found CROSS JOIN releases r NOT INDEXED ON r.id = found.id ${joined} ORDER BY found.id DESC`

const matching = `SELECT t.release_id AS id FROM release_grams g CROSS JOIN release_texts t ON t.release_id = g.rowid
  CROSS JOIN releases r NOT INDEXED ON r.id = t.release_id
  WHERE g.release_grams MATCH ? AND instr(t.text, ?) > 0 AND instr(t.text, ?) > 0 AND ${isLatest}
  ORDER BY g.rowid DESC LIMIT ? OFFSET ?`

/** All SQL of the lists that people read: the latest approved release of each name. */
export function createPublicCatalogRepository(connection: Connection) {
  const latest = connection.prepare<[number, number], ListedRow>(
    rows(`SELECT r.id FROM releases r INDEXED BY releases_catalog
      WHERE r.status = 'approved' AND ${isLatest} ORDER BY r.id DESC LIMIT ? OFFSET ?`),
  )
  const search = connection.prepare<[string, string, string, number, number], ListedRow>(rows(matching))
  const ofOwner = connection.prepare<[number, number, number], ListedRow>(
    rows(`SELECT r.id FROM releases r INDEXED BY releases_owner
      WHERE r.owner_id = ? AND r.status = 'approved' AND ${isLatest} ORDER BY r.id DESC LIMIT ? OFFSET ?`),
  )
  const one = connection.prepare<[string, string], ListedRow>(
    `SELECT ${columns} FROM releases r ${joined} WHERE r.name = ? AND r.version = ? AND r.status = 'approved'`,
  )
  const latestVersion = connection
    .prepare<[string], string>(
      `SELECT version FROM releases INDEXED BY releases_latest
       WHERE name = ? AND status = 'approved' ORDER BY id DESC LIMIT 1`,
    )
    .pluck()
  const versions = connection.prepare<[string, number], VersionRow>(
    `SELECT r.id, r.version, d.decided_at AS decidedAt, d.reason AS notes
     FROM releases r INDEXED BY releases_latest JOIN decisions d ON d.id = r.last_decision
     WHERE r.name = ? AND r.status = 'approved' ORDER BY r.id DESC LIMIT ?`,
  )
  const countNames = connection
    .prepare<[], number>(
      "SELECT count(DISTINCT name) FROM releases INDEXED BY releases_latest WHERE status = 'approved'",
    )
    .pluck()

  return {
    listLatest: (limit: number, offset: number) => latest.all(limit, offset),
    /** Both texts stand in it. */
    search: (grams: string, term: string, other: string, limit: number, offset: number) =>
      search.all(grams, term, other, limit, offset),
    listOfOwner: (ownerId: number, limit: number, offset: number) => ofOwner.all(ownerId, limit, offset),
    find: (name: string, version: string) => one.get(name, version) ?? null,
    findLatestVersion: (name: string) => latestVersion.get(name) ?? null,
    listVersions: (name: string, limit: number) => versions.all(name, limit),
    countNames: () => countNames.get() ?? 0,
  }
}
