import { createHash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { LogType } from '../../../shared/audit-kinds.texts.ts'
import type { OfferOutcome } from '../../../shared/contracts/owners.ts'
import type { ReviewAction } from '../../../shared/contracts/decisions.ts'
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

interface Declaration {
  name: string
  /** What a row is called. */
  noun: string
  /** `id` if absent. */
  key?: string
  /** Its logged columns. */
  columns: string
  /** Columns of other tables `FROM … t`, and how they are joined. */
  joined?: { columns: string; by: string }
  /** Whether the joined columns may be part of the event and are not part of the row. */
  isShown?: true
  /** Columns that are logged as SHA-256 digests. */
  digests?: readonly string[]
  /** The columns whose updates are logged, if not all logged ones. */
  updates?: readonly string[]
  /** The events that add, change and remove a row; without the last two, all are called the same. */
  types: readonly [added: LogType, changed?: LogType, removed?: LogType]
  /** The event that sets a column, which then ends what the row is about. */
  end?: { column: string; type: LogType }
  /** Another event that made `former` into `row`. Must not reveal what is not public. */
  describe?(row: LoggedRow | null, former: LoggedRow | null, shown: LoggedRow): PublicEvent | null
  /** Whether the row may be deleted without an entry: the retention of ended records is not logged. */
  mayExpire?(row: LoggedRow, now: string): boolean
  /** What the audit log says that an event of this row is about. */
  about(row: LoggedRow, key: string): Subject
  /** Columns whose values the audit log shows. */
  shows?: readonly string[]
  /** Columns with the person who made the change, the latest first; by default, it is the person of the request. */
  by?: readonly string[]
  /** Columns with the time of the event, the latest first; by default, it is that of the entry. */
  at?: readonly string[]
}

const withoutTable = (column: string): string => column.slice(column.indexOf('.') + 1)

function declare(table: Declaration) {
  const { name, columns, joined, isShown, types, end } = table
  const own = columns.split(', ')
  const more = joined === undefined ? '' : `, ${joined.columns}`
  return {
    key: 'id',
    digests: [] as readonly string[],
    updates: own as readonly string[],
    shows: [] as readonly string[],
    ...table,
    /** Columns that are not part of the row. */
    shown: isShown === true ? (joined?.columns.split(', ').map(withoutTable) ?? []) : [],
    /** Selects the rows, as a query without its WHERE clause; the table is `t`. */
    select: `SELECT ${own.map((column) => `t.${column}`).join(', ')}${more} FROM ${name} t ${joined?.by ?? ''}`,
    /** The event that made `former` into `row`; null for a row that isn't there. */
    describe(row: LoggedRow | null, former: LoggedRow | null, shown: LoggedRow): PublicEvent {
      const special = table.describe?.(row, former, shown) ?? null
      if (special !== null) return special
      if (end !== undefined && (row?.[end.column] ?? null) !== null && former?.[end.column] === null)
        return { type: end.type }
      const [added, changed = added, removed = added] = types
      return { type: row === null ? removed : former === null ? added : changed }
    },
  }
}

export type LoggedTable = ReturnType<typeof declare>

const declareAll = (tables: readonly Declaration[]): readonly LoggedTable[] => tables.map(declare)

/**
 * The tables whose changes are in the transparency log. Migration 9 reads them as declared here, so a column of a later
 * migration needs a copy of the former declaration there.
 */
export const loggedTables = declareAll([
  {
    name: 'people',
    noun: 'person',
    columns: 'issuer, subject, name, role, created_at, removed_at',
    types: ['person.added', 'person.changed', 'person.deleted'],
    end: { column: 'removed_at', type: 'person.removed' },
    about: (_row, key) => ({ person: Number(key) }),
    shows: ['name', 'role', 'removed_at'],
  },
  {
    name: 'tokens',
    noun: 'token',
    key: 'jti',
    columns: 'person_id, label, scope, created_at, expires_at, revoked_at',
    types: ['token.created', 'token.changed', 'token.deleted'],
    end: { column: 'revoked_at', type: 'token.revoked' },
    about: (row) => ({ person: Number(row['person_id']) }),
    shows: ['label', 'scope'],
    mayExpire: ({ revoked_at: revoked, expires_at: expiry }, now) => revoked !== null || String(expiry) < now,
  },
  {
    name: 'passkeys',
    noun: 'passkey',
    columns: 'person_id, credential_id, public_key, label, created_at, removed_at',
    digests: ['public_key'],
    types: ['passkey.added', 'passkey.changed', 'passkey.deleted'],
    end: { column: 'removed_at', type: 'passkey.removed' },
    about: (row) => ({ person: Number(row['person_id']) }),
    shows: ['label'],
    mayExpire: ({ removed_at: removed }) => removed !== null,
  },
  {
    name: 'releases',
    noun: 'release',
    columns: 'name, version, owner_id, sha256, size, created_at',
    joined: {
      columns: 'n.owner_id AS name_owner_id, m.manifest',
      by: 'LEFT JOIN skill_names n ON n.name = t.name LEFT JOIN release_manifests m ON m.release_id = t.id',
    },
    digests: ['manifest'],
    types: ['release.submitted', 'release.changed', 'release.deleted'],
    about: (_row, key) => ({ release: Number(key) }),
    by: ['owner_id'],
    at: ['created_at'],
  },
  {
    name: 'name_owners',
    noun: 'owner',
    columns: 'name, person_id, since, added_by, reason, ended_at, ended_by',
    digests: ['reason'],
    types: ['owner.added', 'owner.changed', 'owner.deleted'],
    // A period that is copied from another registry may have ended before.
    describe: (row, former) =>
      (row?.['ended_at'] ?? null) !== null && (former?.['ended_at'] ?? null) === null
        ? { type: 'owner.ended' }
        : null,
    about: (row) => ({ name: String(row['name']) }),
    shows: ['person_id'],
  },
  {
    name: 'owner_offers',
    noun: 'offer',
    columns: 'name, kind, offered_by, person_id, offered_at, expires_at, outcome, ended_at, ended_by',
    types: ['offer.made', 'offer.changed', 'offer.deleted'],
    describe: (row, former) =>
      row !== null && former !== null && row['outcome'] !== former['outcome'] && row['outcome'] !== null
        ? { type: `offer.${row['outcome'] as OfferOutcome}` }
        : null,
    about: (row) => ({ name: String(row['name']) }),
    shows: ['kind', 'person_id'],
  },
  {
    name: 'trusted_publishers',
    noun: 'trusted publisher',
    columns: 'owner_id, identity, pins, added_at, removed_at, removed_by',
    joined: { columns: 'o.name', by: 'LEFT JOIN name_owners o ON o.id = t.owner_id' },
    types: ['publisher.added', 'publisher.changed', 'publisher.deleted'],
    end: { column: 'removed_at', type: 'publisher.removed' },
    about: (row) => ({ name: String(row['name']) }),
    shows: ['identity', 'pins'],
  },
  {
    name: 'release_provenance',
    noun: 'provenance',
    key: 'release_id',
    columns: 'release_id, provenance',
    types: ['provenance.recorded', 'provenance.changed', 'provenance.deleted'],
    about: (_row, key) => ({ release: Number(key) }),
    shows: ['provenance'],
  },
  {
    name: 'decisions',
    noun: 'decision',
    columns: 'release_id, action, reason, decided_by, decided_at',
    joined: {
      columns: 'r.name, r.version, r.sha256',
      by: 'LEFT JOIN releases r ON r.id = t.release_id',
    },
    isShown: true,
    digests: ['reason'],
    types: ['release.approved', 'decision.changed', 'decision.deleted'],
    describe(row, former, shown) {
      if (row === null || former !== null) return null
      const type = `release.${row['action'] as ReviewAction}` as const
      return row['action'] === 'rejected' ? { type } : { type, ...shown }
    },
    about: (row) => ({ release: Number(row['release_id']) }),
    by: ['decided_by'],
    at: ['decided_at'],
  },
  {
    name: 'deprecations',
    noun: 'deprecation',
    columns: 'release_id, reason, successor, deprecated_by, deprecated_at, withdrawn_by, withdrawn_at',
    joined: {
      columns: 'r.name, r.version, r.sha256',
      by: 'LEFT JOIN releases r ON r.id = t.release_id',
    },
    isShown: true,
    digests: ['reason'],
    types: ['release.deprecated', 'deprecation.changed', 'deprecation.deleted'],
    describe(row, former, shown) {
      if (row === null) return null
      if (former === null)
        return { type: 'release.deprecated', ...shown, successor: row['successor'] ?? null }
      const isWithdrawn = row['withdrawn_at'] !== null && former['withdrawn_at'] === null
      return isWithdrawn ? { type: 'deprecation.withdrawn', ...shown } : null
    },
    about: (row) => ({ release: Number(row['release_id']) }),
    shows: ['successor'],
    by: ['withdrawn_by', 'deprecated_by'],
    at: ['withdrawn_at', 'deprecated_at'],
  },
  {
    name: 'first_approvals',
    noun: 'first approval',
    columns: 'release_id, reason, approved_by, approved_at, evidence, withdrawn_at',
    digests: ['reason', 'evidence'],
    types: ['approval.first', 'approval.changed', 'approval.deleted'],
    end: { column: 'withdrawn_at', type: 'approval.withdrawn' },
    about: (row) => ({ release: Number(row['release_id']) }),
    by: ['approved_by'],
    at: ['withdrawn_at', 'approved_at'],
  },
  {
    name: 'review_messages',
    noun: 'message',
    columns: 'release_id, kind, author_id, at, text, about, requests_changes, resolved_by, resolved_at',
    digests: ['text', 'about'],
    types: ['answer.given', 'message.changed', 'message.deleted'],
    end: { column: 'resolved_at', type: 'changes.resolved' },
    describe: (row, former) =>
      former === null && row?.['kind'] === 'question' ? { type: 'question.asked' } : null,
    about: (row) => ({ release: Number(row['release_id']) }),
    by: ['resolved_by', 'author_id'],
    at: ['resolved_at', 'at'],
  },
  {
    name: 'judgements',
    noun: 'dismissal',
    columns:
      'name, check_id, fingerprint, reason, release_id, judged_by, judged_at, withdrawn_by, withdrawn_at',
    digests: ['reason'],
    types: ['dismissal.added', 'dismissal.changed', 'dismissal.deleted'],
    end: { column: 'withdrawn_at', type: 'dismissal.withdrawn' },
    about: (row) => ({ release: Number(row['release_id']) }),
    by: ['withdrawn_by', 'judged_by'],
    at: ['withdrawn_at', 'judged_at'],
  },
  {
    name: 'images',
    noun: 'image',
    key: 'sha256',
    columns: 'type, width, height, size, uploaded_at, uploaded_by',
    types: ['image.added', 'image.changed', 'image.removed'],
    about: (_row, key) => ({ name: key }),
    shows: ['type'],
  },
  {
    // Drafts are saved while they are typed, so only creating, publishing and deleting a post is logged.
    name: 'posts',
    noun: 'post',
    columns: 'created_at, published_version, publish_at',
    joined: {
      columns: 'v.slug, v.content',
      by: 'LEFT JOIN post_versions v ON v.id = t.published_version',
    },
    digests: ['content'],
    types: ['post.created', 'post.changed', 'post.deleted'],
    end: { column: 'published_version', type: 'post.published' },
    describe: (row, former) =>
      row?.['published_version'] === null && (former?.['published_version'] ?? null) !== null
        ? { type: 'post.unpublished' }
        : null,
    about: (row, key) => ({ name: String(row['slug'] ?? `post ${key}`) }),
    shows: ['slug', 'publish_at', 'content'],
  },
  {
    name: 'projects',
    noun: 'project',
    columns:
      'slug, title, author, content, status, reason, featured, position, submitted_at, decided_at, decided_by',
    digests: ['content', 'reason'],
    types: ['project.submitted', 'project.changed', 'project.deleted'],
    describe: (row, former) =>
      row !== null && former !== null && row['status'] !== former['status'] && row['status'] !== 'pending'
        ? { type: `project.${row['status'] as 'approved' | 'rejected'}` }
        : null,
    about: (row) => ({ name: String(row['slug']) }),
    shows: ['title', 'featured', 'position', 'content'],
  },
  {
    name: 'mail_subscriptions',
    noun: 'e-mail subscription',
    key: 'person_id',
    columns: 'address, events, verified_at',
    digests: ['address'],
    types: ['mail.added', 'mail.changed', 'mail.removed'],
    about: (_row, key) => ({ person: Number(key) }),
    shows: ['events', 'verified_at'],
  },
  {
    // The path of a URL is often a credential of the receiver.
    name: 'webhooks',
    noun: 'webhook',
    columns: 'url, events, secret, created_at, disabled_at',
    digests: ['url', 'secret'],
    types: ['webhook.created', 'webhook.changed', 'webhook.deleted'],
    about: (_row, key) => ({ name: `webhook ${key}` }),
    shows: ['events', 'disabled_at'],
  },
])

/**
 * Tables whose new rows and updates are only in the audit log: when someone signs in is nobody else's business, and the
 * rows are deleted some time after they end (decision 031).
 */
export const auditedTables = declareAll([
  {
    name: 'desk_sessions',
    noun: 'session',
    columns: 'person_id, label, ended_at',
    updates: ['ended_at'],
    types: ['session.started'],
    describe: (row) => ((row?.['ended_at'] ?? null) === null ? null : { type: 'session.ended' }),
    about: (row) => ({ person: Number(row['person_id']) }),
    shows: ['label'],
    mayExpire: () => true,
  },
  {
    name: 'sign_in_codes',
    noun: 'sign-in link',
    key: 'code_hash',
    columns: 'person_id',
    updates: [],
    types: ['session.invited'],
    about: ({ person_id: person }) => (person === null ? { name: '' } : { person: Number(person) }),
    mayExpire: () => true,
  },
  {
    name: 'token_exchanges',
    noun: 'token exchange',
    key: 'jti',
    columns: 'publisher_id, provenance',
    joined: {
      columns: 'o.name',
      by: 'JOIN trusted_publishers p ON p.id = t.publisher_id JOIN name_owners o ON o.id = p.owner_id',
    },
    updates: [],
    types: ['token.exchanged'],
    about: (row) => ({ name: String(row['name']) }),
    shows: ['provenance'],
    mayExpire: () => true,
  },
])

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
        if (table.shown.includes(column)) shown[column] = logged
        else row[column] = logged
      }
      return { row, shown }
    },
  }
}
