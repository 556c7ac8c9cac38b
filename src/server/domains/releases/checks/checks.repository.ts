import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { dataVersionOf } from '../../../db/data-version.ts'
import { repository } from '../../../db/repository.ts'
import { memberOf, validJson } from '../../../db/valid-json.ts'

interface ChecksRow {
  releaseId: number
  /** The version of the checks. */
  version: string
  checkedAt: string
  /** `Finding[]` as JSON. */
  findings: string
  /** `Growth` as JSON. */
  growth: string
}

interface SavedChecksRow extends ChecksRow {
  /** 1 if the release must be checked again. */
  stale: 0 | 1
}

export interface CheckedReleaseRow {
  id: number
  name: string
  version: string
  status: ReleaseStatus
  sha256: string
  size: number
  ownerId: number
}

export interface BaseRow {
  id: number
  version: string
  manifest: Buffer
  /** JSON array of function names; null if they were not recorded. */
  imports: string | null
}

interface SameBytesRow {
  name: string
  version: string
  status: ReleaseStatus
  ownerId: number
  ownerName: string | null
}

interface NearNameRow {
  name: string
  ownerId: number
  ownerName: string | null
}

/** Maximum number of rows considered; they are reported in one finding anyway. */
const maxNearNames = 20
const maxSameBytes = 200

const approved =
  "EXISTS (SELECT 1 FROM releases a INDEXED BY releases_latest WHERE a.name = n.name AND a.status = 'approved')"

/** Names that are one of `@names` or have the skeleton. A name that is both is returned twice. */
const near = `(SELECT value AS name FROM json_each(@names)
  UNION ALL SELECT name FROM skill_names WHERE skeleton = @skeleton) near`

/** Whether a finding has not been dismissed for the name. */
const isOpen = `NOT EXISTS (SELECT 1 FROM judgements j WHERE j.name = r.name AND j.withdrawn_at IS NULL
  AND j.fingerprint = ${memberOf('fingerprint')})`
const countOpen = (severity: string): string =>
  `count(*) FILTER (WHERE ${memberOf('severity')} = '${severity}' AND ${isOpen})`

/** The number of open findings per release, by severity. */
const openCounts = (releases: string): string =>
  `SELECT r.id, r.name, ${countOpen('error')} AS errors, ${countOpen('warning')} AS warnings
   FROM releases r JOIN release_checks own ON own.release_id = r.id
   LEFT JOIN json_each(${validJson('own.findings')}) f
   WHERE ${releases} GROUP BY r.id`

/** Updates the counts of open findings that are stored for the queue. */
const recount = (releases: string): string =>
  `UPDATE release_checks AS c SET errors = open.errors, warnings = open.warnings
   FROM (${openCounts(releases)}) open WHERE c.release_id = open.id`

/** All SQL about the results of the checks, and the queries that the checks need. */
export const checksRepository = repository((sql, connection) => {
  const save = sql.run<[row: SavedChecksRow]>(`
    INSERT INTO release_checks (release_id, version, checked_at, findings, errors, warnings, growth, stale)
    VALUES (@releaseId, @version, @checkedAt, @findings, 0, 0, @growth, @stale)
    ON CONFLICT DO UPDATE SET version = excluded.version, checked_at = excluded.checked_at,
      findings = excluded.findings, errors = 0, warnings = 0, growth = excluded.growth, stale = excluded.stale`)
  const recountOne = sql.run<[releaseId: number]>(recount('r.id = ?'))
  const findBase = sql.find<[{ name: string; id: number; before: number }], BaseRow>(`
    SELECT r.id, r.version, m.manifest, json_extract(${validJson('f.facts')}, '$.imports') AS imports
    FROM releases r INDEXED BY releases_latest JOIN release_manifests m ON m.release_id = r.id
    LEFT JOIN release_modules f ON f.release_id = r.id
    WHERE r.name = @name AND r.status = 'approved' AND r.id <> @id AND r.id < @before ORDER BY r.id DESC LIMIT 1`)
  const nextName = sql.findValue<[name: string], string>(
    'SELECT name FROM skill_names WHERE name >= ? ORDER BY name LIMIT 1',
  )
  const listNear = sql.list<[{ names: string; skeleton: string; owner: number }], NearNameRow>(`
    SELECT n.name, p.id AS ownerId, p.name AS ownerName
    FROM ${near}
    CROSS JOIN skill_names n ON n.name = near.name
    JOIN name_owners o ON o.id = (SELECT min(id) FROM name_owners WHERE name = n.name AND ended_at IS NULL)
    JOIN people p ON p.id = o.person_id
    WHERE NOT EXISTS (SELECT 1 FROM name_owners WHERE name = n.name AND person_id = @owner AND ended_at IS NULL)
      AND ${approved} LIMIT ${maxNearNames}`)
  const markNear = sql.change<[{ names: string; skeleton: string }]>(`
    UPDATE release_checks SET stale = 1 WHERE release_id IN (
    SELECT r.id FROM ${near} CROSS JOIN releases r INDEXED BY releases_status_name
    ON r.status = 'pending' AND r.name = near.name)`)

  return {
    /** Replaces the previous results and counts the open findings. */
    saveChecks(row: SavedChecksRow): void {
      save(row)
      recountOne(row.releaseId)
    },
    findChecks: sql.find<[releaseId: number], ChecksRow>(`
      SELECT release_id AS releaseId, version, checked_at AS checkedAt, findings, growth FROM release_checks
      WHERE release_id = ?`),
    listFindings: sql.listIn<number, { id: number; findings: string }>(`
    SELECT release_id AS id, findings FROM release_checks
    WHERE release_id IN (SELECT value FROM json_each(?))`),
    findRelease: sql.find<[id: number], CheckedReleaseRow>(
      'SELECT id, name, version, status, sha256, size, owner_id AS ownerId FROM releases WHERE id = ?',
    ),
    findPersonName: sql.findValue<[id: number], string | null>('SELECT name FROM people WHERE id = ?'),
    dataVersion: dataVersionOf(connection),
    /**
     * The approved release to compare a release with: for a pending one the most recently submitted, for a decided one
     * the last submitted before it.
     */
    findBase: ({ name, id, status }: Pick<CheckedReleaseRow, 'name' | 'id' | 'status'>) =>
      findBase({ name, id, before: status === 'pending' ? Number.MAX_SAFE_INTEGER : id }),
    /** Other releases with the same package, oldest first. */
    listSameBytes: sql.list<[sha256: string, id: number], SameBytesRow>(`
      SELECT r.name, r.version, r.status, r.owner_id AS ownerId, p.name AS ownerName
      FROM releases r INDEXED BY releases_digest JOIN people p ON p.id = r.owner_id
      WHERE r.sha256 = ? AND r.id <> ? ORDER BY r.id LIMIT ${maxSameBytes}`),
    /** The characters that follow a prefix in the names of all skills. Takes one seek for each of them. */
    lettersAfter(prefix: string): string {
      let letters = ''
      let name = nextName(`${prefix}-`)
      while (name?.startsWith(prefix) === true) {
        const letter = name.charAt(prefix.length)
        // Only a damaged name has a character that sorts after it.
        if (letter > 'z') break
        letters += letter
        name = nextName(prefix + String.fromCharCode(letter.charCodeAt(0) + 1))
      }
      return letters
    },
    /** Names that the person does not own, with an approved release that are one of `names` or have the skeleton. */
    listNear: (names: readonly string[], skeleton: string, owner: number) =>
      listNear({ names: JSON.stringify(names), skeleton, owner }),
    /** The number of other people with an approved release and the same display name. */
    countShownAs: sql.count<[name: string, ownerId: number]>(`
      SELECT count(*) FROM people p INDEXED BY people_shown WHERE lower(p.name) = lower(?) AND p.id <> ?
      AND EXISTS (SELECT 1 FROM releases WHERE owner_id = p.id AND status = 'approved')`),
    /** Recounts the open findings of every release of a name. */
    recount: sql.run<[name: string]>(recount('r.name = ?')),
    listPendingImports: sql.list<[name: string], { id: number; imports: string | null }>(`
      SELECT r.id, json_extract(${validJson('f.facts')}, '$.imports') AS imports
      FROM releases r JOIN release_modules f ON f.release_id = r.id
      WHERE r.name = ? AND r.status = 'pending'`),
    saveGrowth: sql.run<[{ releaseId: number; growth: string }]>(
      'UPDATE release_checks SET growth = @growth WHERE release_id = @releaseId',
    ),
    /** Marks every pending release of these names, or of a name with the skeleton, to be checked again. */
    markNear: (names: readonly string[], skeleton: string) =>
      markNear({ names: JSON.stringify(names), skeleton }),
    /** Marks pending releases with this package to be checked again. */
    markSameBytes: sql.change<[sha256: string]>(`
      UPDATE release_checks SET stale = 1 WHERE release_id IN (
      SELECT id FROM releases INDEXED BY releases_digest WHERE sha256 = ? AND status = 'pending' LIMIT ${maxSameBytes})`),
    /** The next release to be checked again, or null. */
    findNextStale: sql.findValue<[after: number], number>(`
      SELECT release_id FROM release_checks INDEXED BY release_checks_stale
      WHERE stale = 1 AND release_id > ? ORDER BY release_id LIMIT 1`),
    /** Pending releases with ids above `after`, up to `last`, without results of this version of the checks. */
    listOutdated: sql.listValues<[{ version: string; after: number; last: number }], number>(`
    SELECT r.id FROM releases r LEFT JOIN release_checks c ON c.release_id = r.id
    WHERE r.status = 'pending' AND r.id > @after AND r.id <= @last
      AND (c.release_id IS NULL OR c.version <> @version) ORDER BY r.id`),
    /** Decided releases with ids above `after`, up to `last`, without any results. */
    listNeverChecked: sql.listValues<[{ after: number; last: number }], number>(`
    SELECT id FROM releases r WHERE status <> 'pending' AND id > @after AND id <= @last
      AND NOT EXISTS (SELECT 1 FROM release_checks WHERE release_id = r.id) ORDER BY id`),
    lastId: sql.count<[]>('SELECT max(id) FROM releases'),
    saveFacts: sql.run<[releaseId: number, facts: string]>(
      'INSERT INTO release_modules (release_id, facts) VALUES (?, ?) ON CONFLICT DO UPDATE SET facts = excluded.facts',
    ),
    findFacts: sql.findValue<[releaseId: number], string>(
      'SELECT facts FROM release_modules WHERE release_id = ?',
    ),
    /** The release then counts as never checked. */
    deleteChecks: sql.run<[releaseId: number]>('DELETE FROM release_checks WHERE release_id = ?'),
    deleteFacts: sql.run<[releaseId: number]>('DELETE FROM release_modules WHERE release_id = ?'),
    /** Releases with ids above `after`, up to `last`, whose stored counts of open findings are wrong. */
    listMiscounted: sql.list<[after: number, last: number], { id: number; name: string }>(`
      SELECT open.id, open.name FROM (${openCounts('r.id > ? AND r.id <= ?')}) open
      JOIN release_checks c ON c.release_id = open.id
      WHERE c.errors <> open.errors OR c.warnings <> open.warnings`),
  }
})

export type ChecksRepository = ReturnType<typeof checksRepository>
