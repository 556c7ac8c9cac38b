import { createHash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { LogType } from '../../../shared/audit-kinds.texts.ts'
import type { OfferOutcome } from '../../../shared/contracts/owners.ts'
import type { ReviewAction } from '../../../shared/contracts/releases.ts'
import type { JsonValue } from './canonical-json.ts'

/** The logged columns of a row. Long or confidential texts are only digests. */
export type LoggedRow = Record<string, string | number | null>

/** The public part of an entry. */
export interface PublicEvent {
  type: LogType
  [key: string]: JsonValue
}

/** What an event is about. Events can be filtered by the name of the person or release, or by this name. */
export type Subject = { person: number } | { release: number } | { name: string }

export interface LoggedTable {
  name: string
  /** What a row is called. */
  noun: string
  key: string
  /** Selects the logged columns of the rows, as a query without its WHERE clause; the table is `t`. */
  select: string
  /** Columns that are logged as SHA-256 digests. */
  digests: readonly string[]
  /** The columns whose updates are logged. */
  updates: readonly string[]
  /** Selected columns of other tables that are not part of the row, but may be part of the event. */
  shown?: readonly string[]
  /** The event that made `former` into `row`; null for a row that isn't there. Must not reveal what is not public. */
  describe(row: LoggedRow | null, former: LoggedRow | null, shown: LoggedRow): PublicEvent
  /** Whether the row may be deleted without an entry: the retention of ended records is not logged. */
  mayExpire?(row: LoggedRow, now: string): boolean
  /** What the audit log says that an event of this row is about. */
  about(row: LoggedRow, key: string): Subject
  /** Columns whose values the audit log shows. */
  shows: readonly string[]
  /** Columns with the person who made the change, the latest first; by default, it is the person of the request. */
  by?: readonly string[]
  /** Columns with the time of the event, the latest first; by default, it is that of the entry. */
  at?: readonly string[]
}

/** Names the change of a row by its existence before and after it. */
const nameChange = (
  row: LoggedRow | null,
  former: LoggedRow | null,
  [added, changed, removed]: readonly [added: LogType, changed: LogType, removed: LogType],
): PublicEvent => ({ type: row === null ? removed : former === null ? added : changed })

/**
 * The tables whose changes are in the transparency log. Migration 9 reads them as declared here, so a column of a later
 * migration needs a copy of the former declaration there.
 */
export const loggedTables: readonly LoggedTable[] = [
  {
    name: 'people',
    noun: 'person',
    key: 'id',
    select: 'SELECT t.issuer, t.subject, t.name, t.role, t.created_at, t.removed_at FROM people t',
    digests: [],
    updates: ['issuer', 'subject', 'name', 'role', 'created_at', 'removed_at'],
    about: (_row, key) => ({ person: Number(key) }),
    shows: ['name', 'role', 'removed_at'],
    describe: (row, former) =>
      row !== null && row['removed_at'] !== null && former?.['removed_at'] === null
        ? { type: 'person.removed' }
        : nameChange(row, former, ['person.added', 'person.changed', 'person.deleted']),
  },
  {
    name: 'tokens',
    noun: 'token',
    key: 'jti',
    select: 'SELECT t.person_id, t.label, t.scope, t.created_at, t.expires_at, t.revoked_at FROM tokens t',
    digests: [],
    updates: ['person_id', 'label', 'scope', 'created_at', 'expires_at', 'revoked_at'],
    about: (row) => ({ person: Number(row['person_id']) }),
    shows: ['label', 'scope'],
    describe: (row, former) =>
      row !== null && row['revoked_at'] !== null && former?.['revoked_at'] === null
        ? { type: 'token.revoked' }
        : nameChange(row, former, ['token.created', 'token.changed', 'token.deleted']),
    mayExpire: ({ revoked_at: revoked, expires_at: expiry }, now) => revoked !== null || String(expiry) < now,
  },
  {
    name: 'passkeys',
    noun: 'passkey',
    key: 'id',
    select:
      'SELECT t.person_id, t.credential_id, t.public_key, t.label, t.created_at, t.removed_at FROM passkeys t',
    digests: ['public_key'],
    updates: ['person_id', 'credential_id', 'public_key', 'label', 'created_at', 'removed_at'],
    about: (row) => ({ person: Number(row['person_id']) }),
    shows: ['label'],
    describe: (row, former) =>
      row !== null && row['removed_at'] !== null && former?.['removed_at'] === null
        ? { type: 'passkey.removed' }
        : nameChange(row, former, ['passkey.added', 'passkey.changed', 'passkey.deleted']),
    mayExpire: ({ removed_at: removed }) => removed !== null,
  },
  {
    name: 'releases',
    noun: 'release',
    key: 'id',
    select: `SELECT t.name, t.version, t.owner_id, t.sha256, t.size, t.created_at, n.owner_id AS name_owner_id, m.manifest
      FROM releases t LEFT JOIN skill_names n ON n.name = t.name
      LEFT JOIN release_manifests m ON m.release_id = t.id`,
    digests: ['manifest'],
    updates: ['name', 'version', 'owner_id', 'sha256', 'size', 'created_at'],
    about: (_row, key) => ({ release: Number(key) }),
    shows: [],
    by: ['owner_id'],
    at: ['created_at'],
    describe: (row, former) =>
      nameChange(row, former, ['release.submitted', 'release.changed', 'release.deleted']),
  },
  {
    name: 'name_owners',
    noun: 'owner',
    key: 'id',
    select: `SELECT t.name, t.person_id, t.since, t.added_by, t.reason, t.ended_at, t.ended_by FROM name_owners t`,
    digests: ['reason'],
    updates: ['name', 'person_id', 'since', 'added_by', 'reason', 'ended_at', 'ended_by'],
    about: (row) => ({ name: String(row['name']) }),
    shows: ['person_id'],
    describe: (row, former) =>
      row !== null && row['ended_at'] !== null && (former?.['ended_at'] ?? null) === null
        ? { type: 'owner.ended' }
        : nameChange(row, former, ['owner.added', 'owner.changed', 'owner.deleted']),
  },
  {
    name: 'owner_offers',
    noun: 'offer',
    key: 'id',
    select: `SELECT t.name, t.kind, t.offered_by, t.person_id, t.offered_at, t.expires_at, t.outcome, t.ended_at, t.ended_by
      FROM owner_offers t`,
    digests: [],
    updates: [
      'name',
      'kind',
      'offered_by',
      'person_id',
      'offered_at',
      'expires_at',
      'outcome',
      'ended_at',
      'ended_by',
    ],
    about: (row) => ({ name: String(row['name']) }),
    shows: ['kind', 'person_id'],
    describe: (row, former) =>
      row !== null && former !== null && row['outcome'] !== former['outcome'] && row['outcome'] !== null
        ? { type: `offer.${row['outcome'] as OfferOutcome}` }
        : nameChange(row, former, ['offer.made', 'offer.changed', 'offer.deleted']),
  },
  {
    name: 'trusted_publishers',
    noun: 'trusted publisher',
    key: 'id',
    select: `SELECT t.owner_id, t.identity, t.pins, t.added_at, t.removed_at, t.removed_by, o.name
      FROM trusted_publishers t LEFT JOIN name_owners o ON o.id = t.owner_id`,
    digests: [],
    updates: ['owner_id', 'identity', 'pins', 'added_at', 'removed_at', 'removed_by'],
    about: (row) => ({ name: String(row['name']) }),
    shows: ['identity', 'pins'],
    describe: (row, former) =>
      row !== null && row['removed_at'] !== null && former?.['removed_at'] === null
        ? { type: 'publisher.removed' }
        : nameChange(row, former, ['publisher.added', 'publisher.changed', 'publisher.deleted']),
  },
  {
    name: 'release_provenance',
    noun: 'provenance',
    key: 'release_id',
    select: 'SELECT t.release_id, t.provenance FROM release_provenance t',
    digests: [],
    updates: ['release_id', 'provenance'],
    about: (_row, key) => ({ release: Number(key) }),
    shows: ['provenance'],
    describe: (row, former) =>
      nameChange(row, former, ['provenance.recorded', 'provenance.changed', 'provenance.deleted']),
  },
  {
    name: 'decisions',
    noun: 'decision',
    key: 'id',
    select: `SELECT t.release_id, t.action, t.reason, t.decided_by, t.decided_at, r.name, r.version, r.sha256
      FROM decisions t LEFT JOIN releases r ON r.id = t.release_id`,
    digests: ['reason'],
    shown: ['name', 'version', 'sha256'],
    updates: ['release_id', 'action', 'reason', 'decided_by', 'decided_at'],
    about: (row) => ({ release: Number(row['release_id']) }),
    shows: [],
    by: ['decided_by'],
    at: ['decided_at'],
    describe: (row, former, shown) => {
      if (row === null) return { type: 'decision.deleted' }
      if (former !== null) return { type: 'decision.changed' }
      const type = `release.${row['action'] as ReviewAction}` as const
      return row['action'] === 'rejected' ? { type } : { type, ...shown }
    },
  },
  {
    name: 'deprecations',
    noun: 'deprecation',
    key: 'id',
    select: `SELECT t.release_id, t.reason, t.successor, t.deprecated_by, t.deprecated_at, t.withdrawn_by, t.withdrawn_at,
      r.name, r.version, r.sha256 FROM deprecations t LEFT JOIN releases r ON r.id = t.release_id`,
    digests: ['reason'],
    shown: ['name', 'version', 'sha256'],
    updates: [
      'release_id',
      'reason',
      'successor',
      'deprecated_by',
      'deprecated_at',
      'withdrawn_by',
      'withdrawn_at',
    ],
    about: (row) => ({ release: Number(row['release_id']) }),
    shows: ['successor'],
    by: ['withdrawn_by', 'deprecated_by'],
    at: ['withdrawn_at', 'deprecated_at'],
    describe(row, former, shown) {
      if (row === null) return { type: 'deprecation.deleted' }
      if (former === null)
        return { type: 'release.deprecated', ...shown, successor: row['successor'] ?? null }
      const isWithdrawn = row['withdrawn_at'] !== null && former['withdrawn_at'] === null
      return isWithdrawn ? { type: 'deprecation.withdrawn', ...shown } : { type: 'deprecation.changed' }
    },
  },
  {
    name: 'first_approvals',
    noun: 'first approval',
    key: 'id',
    select: `SELECT t.release_id, t.reason, t.approved_by, t.approved_at, t.evidence, t.withdrawn_at
      FROM first_approvals t`,
    digests: ['reason', 'evidence'],
    updates: ['release_id', 'reason', 'approved_by', 'approved_at', 'evidence', 'withdrawn_at'],
    about: (row) => ({ release: Number(row['release_id']) }),
    shows: [],
    by: ['approved_by'],
    at: ['withdrawn_at', 'approved_at'],
    describe: (row, former) =>
      row !== null && row['withdrawn_at'] !== null && former?.['withdrawn_at'] === null
        ? { type: 'approval.withdrawn' }
        : nameChange(row, former, ['approval.first', 'approval.changed', 'approval.deleted']),
  },
  {
    name: 'review_messages',
    noun: 'message',
    key: 'id',
    select: `SELECT t.release_id, t.kind, t.author_id, t.at, t.text, t.about, t.requests_changes, t.resolved_by,
      t.resolved_at FROM review_messages t`,
    digests: ['text', 'about'],
    updates: [
      'release_id',
      'kind',
      'author_id',
      'at',
      'text',
      'about',
      'requests_changes',
      'resolved_by',
      'resolved_at',
    ],
    about: (row) => ({ release: Number(row['release_id']) }),
    shows: [],
    by: ['resolved_by', 'author_id'],
    at: ['resolved_at', 'at'],
    describe(row, former) {
      if (row === null) return { type: 'message.deleted' }
      if (former === null) return { type: row['kind'] === 'question' ? 'question.asked' : 'answer.given' }
      const isResolved = row['resolved_at'] !== null && former['resolved_at'] === null
      return { type: isResolved ? 'changes.resolved' : 'message.changed' }
    },
  },
  {
    name: 'judgements',
    noun: 'dismissal',
    key: 'id',
    select: `SELECT t.name, t.check_id, t.fingerprint, t.reason, t.release_id, t.judged_by, t.judged_at, t.withdrawn_by,
      t.withdrawn_at FROM judgements t`,
    digests: ['reason'],
    updates: [
      'name',
      'check_id',
      'fingerprint',
      'reason',
      'release_id',
      'judged_by',
      'judged_at',
      'withdrawn_at',
    ],
    about: (row) => ({ release: Number(row['release_id']) }),
    shows: [],
    by: ['withdrawn_by', 'judged_by'],
    at: ['withdrawn_at', 'judged_at'],
    describe: (row, former) =>
      row !== null && row['withdrawn_at'] !== null && former?.['withdrawn_at'] === null
        ? { type: 'dismissal.withdrawn' }
        : nameChange(row, former, ['dismissal.added', 'dismissal.changed', 'dismissal.deleted']),
  },
  {
    name: 'images',
    noun: 'image',
    key: 'sha256',
    select: 'SELECT t.type, t.width, t.height, t.size, t.uploaded_at, t.uploaded_by FROM images t',
    digests: [],
    updates: ['type', 'width', 'height', 'size', 'uploaded_at', 'uploaded_by'],
    about: (_row, key) => ({ name: key }),
    shows: ['type'],
    describe: (row, former) => nameChange(row, former, ['image.added', 'image.changed', 'image.removed']),
  },
  {
    // Drafts are saved while they are typed, so only creating, publishing and deleting a post is logged.
    name: 'posts',
    noun: 'post',
    key: 'id',
    select: `SELECT t.created_at, t.published_version, t.publish_at, v.slug, v.content
      FROM posts t LEFT JOIN post_versions v ON v.id = t.published_version`,
    digests: ['content'],
    updates: ['created_at', 'published_version', 'publish_at'],
    about: (row, key) => ({ name: String(row['slug'] ?? `post ${key}`) }),
    shows: ['slug', 'publish_at', 'content'],
    describe(row, former) {
      const [isPublished, wasPublished] = [row, former].map(
        (post) => (post?.['published_version'] ?? null) !== null,
      )
      if (row === null || former === null || isPublished === wasPublished)
        return nameChange(row, former, ['post.created', 'post.changed', 'post.deleted'])
      return { type: isPublished ? 'post.published' : 'post.unpublished' }
    },
  },
  {
    name: 'projects',
    noun: 'project',
    key: 'id',
    select: `SELECT t.slug, t.title, t.author, t.content, t.status, t.reason, t.featured, t.position, t.submitted_at,
      t.decided_at, t.decided_by FROM projects t`,
    digests: ['content', 'reason'],
    updates: [
      'slug',
      'title',
      'author',
      'content',
      'status',
      'reason',
      'featured',
      'position',
      'submitted_at',
      'decided_at',
      'decided_by',
    ],
    about: (row) => ({ name: String(row['slug']) }),
    shows: ['title', 'featured', 'position', 'content'],
    describe: (row, former) =>
      row !== null && former !== null && row['status'] !== former['status'] && row['status'] !== 'pending'
        ? { type: `project.${row['status'] as 'approved' | 'rejected'}` }
        : nameChange(row, former, ['project.submitted', 'project.changed', 'project.deleted']),
  },
  {
    name: 'mail_subscriptions',
    noun: 'e-mail subscription',
    key: 'person_id',
    select: 'SELECT t.address, t.events, t.verified_at FROM mail_subscriptions t',
    digests: ['address'],
    updates: ['address', 'events', 'verified_at'],
    about: (_row, key) => ({ person: Number(key) }),
    shows: ['events', 'verified_at'],
    describe: (row, former) => nameChange(row, former, ['mail.added', 'mail.changed', 'mail.removed']),
  },
  {
    // The path of a URL is often a credential of the receiver.
    name: 'webhooks',
    noun: 'webhook',
    key: 'id',
    select: 'SELECT t.url, t.events, t.secret, t.created_at, t.disabled_at FROM webhooks t',
    digests: ['url', 'secret'],
    updates: ['url', 'events', 'secret', 'created_at', 'disabled_at'],
    about: (_row, key) => ({ name: `webhook ${key}` }),
    shows: ['events', 'disabled_at'],
    describe: (row, former) =>
      nameChange(row, former, ['webhook.created', 'webhook.changed', 'webhook.deleted']),
  },
]

/**
 * Tables whose new rows and updates are only in the audit log: when someone signs in is nobody else's business, and the
 * rows are deleted some time after they end (decision 031).
 */
export const auditedTables: readonly LoggedTable[] = [
  {
    name: 'desk_sessions',
    noun: 'session',
    key: 'id',
    select: 'SELECT t.person_id, t.label, t.ended_at FROM desk_sessions t',
    digests: [],
    updates: ['ended_at'],
    about: (row) => ({ person: Number(row['person_id']) }),
    shows: ['label'],
    describe: (row) => ({ type: (row?.['ended_at'] ?? null) === null ? 'session.started' : 'session.ended' }),
    mayExpire: () => true,
  },
  {
    name: 'sign_in_codes',
    noun: 'sign-in link',
    key: 'code_hash',
    select: 'SELECT t.person_id FROM sign_in_codes t',
    digests: [],
    updates: [],
    about: ({ person_id: person }) => (person === null ? { name: '' } : { person: Number(person) }),
    shows: [],
    describe: () => ({ type: 'session.invited' }),
    mayExpire: () => true,
  },
  {
    name: 'token_exchanges',
    noun: 'token exchange',
    key: 'jti',
    select: `SELECT t.publisher_id, t.provenance, o.name FROM token_exchanges t
      JOIN trusted_publishers p ON p.id = t.publisher_id JOIN name_owners o ON o.id = p.owner_id`,
    digests: [],
    updates: [],
    about: (row) => ({ name: String(row['name']) }),
    shows: ['provenance'],
    describe: () => ({ type: 'token.exchanged' }),
    mayExpire: () => true,
  },
]

/** Reads rows of a logged table as they are logged. */
export function loggedRows(connection: Sqlite.Database, table: LoggedTable) {
  const select = connection.prepare<[string], Record<string, string | number | Buffer | null>>(
    `${table.select} WHERE t.${table.key} = ?`,
  )
  return {
    find(key: string): { row: LoggedRow | null; shown: LoggedRow } {
      const shown: LoggedRow = {}
      const found = select.get(key)
      if (found === undefined) return { row: null, shown }
      const row: LoggedRow = {}
      for (const [column, value] of Object.entries(found)) {
        const logged =
          Buffer.isBuffer(value) || (value !== null && table.digests.includes(column))
            ? createHash('sha256').update(String(value)).digest('hex')
            : value
        if (table.shown?.includes(column) === true) shown[column] = logged
        else row[column] = logged
      }
      return { row, shown }
    },
  }
}
