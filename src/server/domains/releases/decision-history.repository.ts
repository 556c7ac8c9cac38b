import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import type { HistoryEntry, HistoryKind } from '../../../shared/contracts/desk-history.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

export interface HistoryFilter {
  kind?: HistoryKind | undefined
  person?: number | undefined
  /** Times, both included. */
  from: string
  to: string
}

/** Behind which entry a slice begins. */
export interface HistoryPlace {
  at: string
  id: number
}

type HistoryRow = Omit<HistoryEntry, 'evidence' | 'selfApproved'> & {
  id: number
  evidence: number | null
  selfApproved: number
}

/** Entries that are read at once, so that others get their turn. */
export const sliceSize = 500

/** Of one release. */
const shownOfRelease = 200

const entriesOf = (ids: string): string =>
  `SELECT h.id, h.kind, h.at, h.person_id AS personId, coalesce(p.name, p.subject) AS person,
     h.release_id AS releaseId, r.name, r.version, coalesce(d.reason, j.reason) AS why, j.check_id AS "check",
     iif(d.id IS NULL, NULL, e.decision_id IS NOT NULL) AS evidence,
     h.kind = 'approved' AND h.person_id = r.owner_id AS selfApproved
   FROM (${ids}) page JOIN history h ON h.id = page.id
   JOIN people p ON p.id = h.person_id JOIN releases r ON r.id = h.release_id
   LEFT JOIN decisions d ON d.id = h.ref AND h.kind IN ('approved', 'rejected', 'revoked')
   LEFT JOIN judgements j ON j.id = h.ref AND h.kind IN ('judged', 'withdrawn')
   LEFT JOIN decision_evidence e ON e.decision_id = d.id
   ORDER BY h.at DESC, h.id DESC`

/** The rows of a filter, on the index that has them in their order. */
const filtered = ({ kind, person }: HistoryFilter): string => {
  const index =
    person === undefined
      ? kind === undefined
        ? 'history_at'
        : 'history_kind'
      : kind === undefined
        ? 'history_person'
        : 'history_person_kind'
  return `FROM history INDEXED BY ${index} WHERE at >= @from AND at <= @to
    ${person === undefined ? '' : 'AND person_id = @person'} ${kind === undefined ? '' : 'AND kind = @kind'}`
}

/** All SQL about what happened, prepared on the reading connection when it is first needed. */
export const decisionHistoryRepository = preparedOnce((connection: Connection) => {
  const make = (sql: string) => connection.prepare(sql)
  const prepared = new Map<string, ReturnType<typeof make>>()
  const prepare = (sql: string): ReturnType<typeof make> => {
    const known = prepared.get(sql) ?? make(sql)
    prepared.set(sql, known)
    return known
  }
  const read = (sql: string, bindings: object): (HistoryEntry & { id: number })[] =>
    (prepare(sql).all(bindings) as HistoryRow[]).map((row) => ({
      ...row,
      evidence: row.evidence === null ? null : row.evidence === 1,
      selfApproved: row.selfApproved === 1,
    }))
  const inOrder = 'ORDER BY at DESC, id DESC LIMIT'

  return {
    listPage: (filter: HistoryFilter, offset: number): HistoryEntry[] =>
      read(entriesOf(`SELECT id ${filtered(filter)} ${inOrder} ${deskPageSize} OFFSET @offset`), {
        ...filter,
        offset,
      }).map(withoutId),
    count: (filter: HistoryFilter): number =>
      (prepare(`SELECT count(*) AS n ${filtered(filter)}`).get(filter) as { n: number }).n,
    /** The next entries behind a place; fewer than `sliceSize` are the last ones. */
    listSlice: (filter: HistoryFilter, { at, id }: HistoryPlace) =>
      read(
        entriesOf(
          `SELECT id ${filtered(filter)} AND at <= @at AND (at < @at OR id < @id)
           ${inOrder} ${sliceSize}`,
        ),
        { ...filter, at, id },
      ),
    listOfRelease: (releaseId: number): HistoryEntry[] =>
      read(
        entriesOf(
          `SELECT id FROM history INDEXED BY history_release WHERE release_id = @releaseId ${inOrder} ${shownOfRelease}`,
        ),
        { releaseId },
      ).map(withoutId),
  }
})

export function withoutId({ id: _id, ...entry }: HistoryEntry & { id: number }): HistoryEntry {
  return entry
}
