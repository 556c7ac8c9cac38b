import type { HistoryEntry, HistoryKind } from '../../../../shared/contracts/desk-history.ts'
import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'

export interface HistoryFilter {
  kind?: HistoryKind | undefined
  person?: number | undefined
  /** Times, inclusive. */
  from: string
  to: string
}

type HistoryRow = Omit<HistoryEntry, 'evidence' | 'selfApproved'> & {
  id: number
  evidence: number | null
  selfApproved: number
}

/** Maximum number of entries listed for one release. */
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

/**
 * Ids of the matching entries after the entry `@after`, or of the first ones if there is no such entry, from the index
 * that has them in order.
 */
const idsAfter = ({ kind, person }: HistoryFilter): string => {
  const index =
    person === undefined
      ? kind === undefined
        ? 'history_at'
        : 'history_kind'
      : kind === undefined
        ? 'history_person'
        : 'history_person_kind'
  return `SELECT id FROM history INDEXED BY ${index}
    WHERE at >= @from AND (at, id) < (coalesce((SELECT at FROM history WHERE id = @after), @to), @after)
    ${person === undefined ? '' : 'AND person_id = @person'} ${kind === undefined ? '' : 'AND kind = @kind'}
    ORDER BY at DESC, id DESC LIMIT @limit`
}

/** All SQL about the history, prepared on the reading connection on first use. */
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
  const generation = connection
    .prepare<[], number>(
      'SELECT n + coalesce((SELECT max(id) FROM history), 0) FROM catalog_generation WHERE one = 1',
    )
    .pluck()

  return {
    /** Increases with every submission, decision, dismissal and change of a person's name. */
    listGeneration: () => generation.get() ?? 0,
    /** Up to `limit` ids after the entry `after`, or the first ones if there is no such entry. */
    listIds: (filter: HistoryFilter, after: number, limit: number) =>
      prepare(idsAfter(filter)).all({ ...filter, after, limit }) as { id: number }[],
    /** The same as complete entries. */
    listAfter: (filter: HistoryFilter, after: number, limit: number) =>
      read(entriesOf(idsAfter(filter)), { ...filter, after, limit }),
    /** Newest first. */
    listByIds: (ids: readonly number[]): HistoryEntry[] =>
      read(entriesOf('SELECT value AS id FROM json_each(@ids)'), { ids: JSON.stringify(ids) }).map(withoutId),
    listOfRelease: (releaseId: number): HistoryEntry[] =>
      read(
        entriesOf(
          `SELECT id FROM history INDEXED BY history_release WHERE release_id = @releaseId
           ORDER BY at DESC, id DESC LIMIT ${shownOfRelease}`,
        ),
        { releaseId },
      ).map(withoutId),
  }
})

export function withoutId({ id: _id, ...entry }: HistoryEntry & { id: number }): HistoryEntry {
  return entry
}
