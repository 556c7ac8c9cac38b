import type { StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import type { ThreadFilter } from '../../../../shared/contracts/thread.ts'
import { repository } from '../../../db/repository.ts'
import { validJson } from '../../../db/valid-json.ts'
import type { QueueFilter, QueueOrder } from './review-queue.rules.ts'

export interface QueueDataRow {
  id: number
  name: string
  version: string
  status: ReleaseStatus
  ownerId: number
  ownerName: string | null
  createdAt: string
  first: number
  decidedAt: string | null
  decidedBy: string | null
  /** 0 or 1. */
  selfApproved: number
  firstApprovedBy: string | null
  errors: number | null
  warnings: number | null
  grew: number | null
}

/** The searched columns of a release. */
interface QueueCandidate {
  id: number
  name: string
  sha256: string
  ownerId: number
  ownerName: string | null
}

/** Each order, with the condition for the releases after `@after`, or for all if there is no such release. */
const orders: Record<QueueOrder, { order: string; follows: string }> = {
  waiting: {
    order: 'r.id ASC',
    follows: 'r.id > coalesce((SELECT id FROM releases WHERE id = @after), 0)',
  },
  newest: { order: 'r.id DESC', follows: 'r.id < @after' },
  decided: {
    order: 'r.last_decision DESC',
    follows: 'r.last_decision < coalesce((SELECT last_decision FROM releases WHERE id = @after), @after)',
  },
  name: {
    order: 'r.name ASC, r.id DESC',
    follows: `r.name >= coalesce((SELECT name FROM releases WHERE id = @after), '')
      AND (r.name > (SELECT name FROM releases WHERE id = @after) OR r.id < @after)`,
  },
}

const conditionOf = (filter: QueueFilter): string => {
  if (filter === 'all') return '1'
  return filter === 'decided' ? 'r.last_decision IS NOT NULL' : `r.status = '${filter}'`
}

/** The index that has the filtered releases in this order. */
const indexOf = (filter: QueueFilter, order: QueueOrder): string => {
  const parts: string[] = filter === 'all' || filter === 'decided' ? [] : ['status']
  if (order === 'decided' || order === 'name') parts.push(order)
  return parts.length === 0 ? 'NOT INDEXED' : `INDEXED BY releases_${parts.join('_')}`
}

/** Reads only the index. */
const idsAfter = (filter: QueueFilter, order: QueueOrder): string =>
  `SELECT r.id FROM releases r ${indexOf(filter, order)}
   WHERE ${conditionOf(filter)} AND ${orders[order].follows} ORDER BY ${orders[order].order} LIMIT @limit`

/** In id order, which is the order in the file. Any other order would read one page of the file per release. */
const candidatesAfter = (filter: QueueFilter): string =>
  `SELECT r.id, r.name, r.sha256, o.id AS ownerId, o.name AS ownerName
   FROM releases r ${indexOf(filter, 'newest')} CROSS JOIN people o ON o.id = r.owner_id
   WHERE ${conditionOf(filter)} AND ${orders.newest.follows} ORDER BY ${orders.newest.order} LIMIT @limit`

const lastMessage = `(SELECT kind FROM review_messages WHERE release_id = r.id ORDER BY id DESC LIMIT 1)`
const threadConditions: Record<ThreadFilter, string> = {
  'changes-requested': `EXISTS (SELECT 1 FROM review_messages
    WHERE release_id = r.id AND requests_changes = 1 AND resolved_at IS NULL)`,
  asked: `${lastMessage} = 'question'`,
  answered: `${lastMessage} = 'answer'`,
}

const inThread = (filter: ThreadFilter, order: QueueOrder): string =>
  `SELECT r.id, r.name, r.sha256, o.id AS ownerId, o.name AS ownerName
   FROM (SELECT DISTINCT release_id AS id FROM review_messages) m CROSS JOIN releases r ON r.id = m.id
   CROSS JOIN people o ON o.id = r.owner_id
   WHERE r.status = 'pending' AND ${threadConditions[filter]} ORDER BY ${orders[order].order}`

/** All SQL about the queue. */
export const reviewQueueRepository = repository((sql) => {
  const listIds = sql.composed<[{ after: number; limit: number }], { id: number }>()
  const listCandidates = sql.composed<[{ after: number; limit: number }], QueueCandidate>()
  const listAll = sql.composed<[], QueueCandidate>()
  const count = sql.count<[status: ReleaseStatus]>(
    'SELECT count(*) FROM releases INDEXED BY releases_status WHERE status = ?',
  )

  return {
    /** Up to `limit` ids after the release `after`, or the first ones if there is no such release. */
    listIds: (filter: QueueFilter, order: QueueOrder, after: number, limit: number) =>
      listIds(idsAfter(filter, order), { after, limit }),
    /** The same, newest first, with the searched columns. */
    listCandidates: (filter: Exclude<QueueFilter, 'decided'>, after: number, limit: number) =>
      listCandidates(candidatesAfter(filter), { after, limit }),
    /** The pending releases whose thread is in this state. */
    listInThread: (filter: ThreadFilter, order: QueueOrder) => listAll(inThread(filter, order)),
    /** In the order of the ids. */
    listByIds: sql.listIn<number, QueueDataRow>(`
      SELECT r.id, r.name, r.version, r.status, r.owner_id AS ownerId, o.name AS ownerName,
        r.created_at AS createdAt, d.decided_at AS decidedAt, coalesce(p.name, p.subject) AS decidedBy,
        coalesce(d.action = 'approved' AND d.decided_by = r.owner_id, 0) AS selfApproved,
        iif(r.status = 'pending', coalesce(a.name, a.subject), NULL) AS firstApprovedBy,
        c.errors, c.warnings, json_array_length(${validJson('c.growth')}, '$.capabilities') > 0 AS grew,
        (n.first_approved_at IS NULL OR n.first_approved_at > r.created_at) AS first
      FROM json_each(?) page CROSS JOIN releases r NOT INDEXED ON r.id = page.value
      JOIN skill_names n ON n.name = r.name
      JOIN people o ON o.id = r.owner_id
      LEFT JOIN decisions d ON d.id = r.last_decision
      LEFT JOIN people p ON p.id = d.decided_by
      LEFT JOIN first_approvals f ON f.release_id = r.id AND f.withdrawn_at IS NULL
      LEFT JOIN people a ON a.id = f.approved_by
      LEFT JOIN release_checks c ON c.release_id = r.id
      ORDER BY page.key`),
    countByStatus: (): StatusCounts => ({
      pending: count('pending'),
      approved: count('approved'),
      rejected: count('rejected'),
      revoked: count('revoked'),
    }),
    /** Queue position of a pending release, from 1. */
    placeOf: sql.count<[id: number]>("SELECT count(*) FROM releases WHERE status = 'pending' AND id <= ?"),
  }
})
