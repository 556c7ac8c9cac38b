import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import type { ReleaseStatus } from '../../../shared/contracts/releases.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'
import { validJson } from '../../db/valid-json.ts'
import type { QueueFilter, QueueOrder, QueueSearch } from './review-queue.rules.ts'

export interface QueueDataRow {
  id: number
  name: string
  version: string
  status: ReleaseStatus
  ownerId: number
  ownerName: string | null
  category: string
  size: number
  sha256: string
  createdAt: string
  first: number
  decidedAt: string | null
  decidedBy: string | null
  /** 0 or 1. */
  selfApproved: number
  errors: number | null
  warnings: number | null
  grew: number | null
}

const orders: Record<QueueOrder, string> = {
  waiting: 'r.id ASC',
  newest: 'r.id DESC',
  decided: 'r.last_decision DESC',
  name: 'r.name ASC, r.id DESC',
}

const conditionOf = (filter: QueueFilter, order?: QueueOrder): string => {
  if (filter === 'all') return '1'
  if (filter !== 'decided') return `r.status = '${filter}'`
  // The plus keeps SQLite from the index of decisions, where it would have to sort all of them by name.
  return `${order === 'name' ? '+' : ''}r.last_decision IS NOT NULL`
}

/** Names and people are few; what they lead to is found by an index each, and then each release by its number. */
const found = `(
  SELECT id FROM releases WHERE name IN (SELECT name FROM skill_names WHERE instr(name, @name) > 0)
  UNION SELECT id FROM releases WHERE owner_id IN (SELECT value FROM json_each(@owners))
  UNION SELECT id FROM releases WHERE sha256 >= @digestFrom AND sha256 < @digestBefore
) found CROSS JOIN releases r ON r.id = found.id`

/** Without a search an index is walked in its order until the page is full. */
const idsOf = (filter: QueueFilter, order: QueueOrder, isSearch: boolean): string =>
  `SELECT r.id FROM ${isSearch ? found : 'releases r'} WHERE ${conditionOf(filter, order)}
   ORDER BY ${orders[order]} LIMIT ${deskPageSize} OFFSET @offset`

const rowsOf = (ids: string, order: QueueOrder): string =>
  `SELECT r.id, r.name, r.version, r.status, r.owner_id AS ownerId, o.name AS ownerName, r.size, r.sha256,
     coalesce(json_extract(${validJson('CAST(m.manifest AS TEXT)')}, '$.category'), 'Other') AS category,
     r.created_at AS createdAt, d.decided_at AS decidedAt, coalesce(p.name, p.subject) AS decidedBy,
     coalesce(d.action = 'approved' AND d.decided_by = r.owner_id, 0) AS selfApproved,
     c.errors, c.warnings, json_array_length(${validJson('c.growth')}, '$.capabilities') > 0 AS grew,
     (n.first_approved_at IS NULL OR n.first_approved_at > r.created_at) AS first
   FROM (${ids}) page JOIN releases r ON r.id = page.id
   JOIN skill_names n ON n.name = r.name
   JOIN people o ON o.id = r.owner_id
   JOIN release_manifests m ON m.release_id = r.id
   LEFT JOIN decisions d ON d.id = r.last_decision
   LEFT JOIN people p ON p.id = d.decided_by
   LEFT JOIN release_checks c ON c.release_id = r.id
   ORDER BY ${orders[order]}`

type Bindings = Partial<QueueSearch> & { owners?: string; offset?: number }

/** All SQL about the queue, prepared on the reading connection when it is first needed. */
export const reviewQueueRepository = preparedOnce((connection: Connection) => {
  const pages = new Map<string, ReturnType<typeof preparePage>>()
  const totals = new Map<QueueFilter, ReturnType<typeof prepareTotal>>()
  const preparePage = (filter: QueueFilter, order: QueueOrder, isSearch: boolean) =>
    connection.prepare<[Bindings], QueueDataRow>(rowsOf(idsOf(filter, order, isSearch), order))
  const prepareTotal = (filter: QueueFilter) =>
    connection
      .prepare<[Bindings], number>(`SELECT count(*) FROM ${found} WHERE ${conditionOf(filter)}`)
      .pluck()

  const counts = connection.prepare<[], { status: ReleaseStatus; n: number }>(
    'SELECT status, count(*) AS n FROM releases GROUP BY status',
  )
  const place = connection
    .prepare<[number], number>("SELECT count(*) FROM releases WHERE status = 'pending' AND id <= ?")
    .pluck()
  const listNames = connection.prepare<[], { id: number; name: string | null }>('SELECT id, name FROM people')

  return {
    /** `owners` are the numbers of people whose name matches the search. */
    listPage(
      filter: QueueFilter,
      order: QueueOrder,
      search: QueueSearch | null,
      owners: readonly number[],
      offset: number,
    ): QueueDataRow[] {
      const key = `${filter} ${order} ${search !== null}`
      const statement = pages.get(key) ?? preparePage(filter, order, search !== null)
      pages.set(key, statement)
      return statement.all(
        search === null ? { offset } : { ...search, owners: JSON.stringify(owners), offset },
      )
    },
    countFound(filter: QueueFilter, search: QueueSearch, owners: readonly number[]): number {
      const statement = totals.get(filter) ?? prepareTotal(filter)
      totals.set(filter, statement)
      return statement.get({ ...search, owners: JSON.stringify(owners) }) ?? 0
    },
    countByStatus: () => counts.all(),
    /** Place in line from 1, of a release that is pending. */
    placeOf: (id: number) => place.get(id) ?? 0,
    listNames: () => listNames.all(),
  }
})
