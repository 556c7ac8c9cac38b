import { createHash, randomBytes } from 'node:crypto'
import type { AuditChannel } from '../../../shared/contracts/desk-audit-log.ts'
import { leafHash, nodeHash } from '../../../shared/log/hashes.ts'
import { repository } from '../repository.ts'
import { canonicalJson } from './canonical-json.ts'
import type { JsonValue } from './canonical-json.ts'
import { loggedRows, loggedTables } from './logged-tables.ts'
import type { LoggedRow, LoggedTable, PublicEvent } from './logged-tables.ts'
import { rootHash } from './merkle-tree.ts'
import type { ReadNode } from './merkle-tree.ts'

/** The part of an entry that is not public. */
export interface Details {
  /** What the event is about: `TABLE/KEY` for a row. */
  subject: string
  /** The row after the event; null if it was deleted. */
  row: LoggedRow | null
  /** Who made the change; missing in entries from before the audit log recorded it. */
  by?: { person: number | null; channel: AuditChannel }
}

/** A change of a row that no entry describes. */
interface RowChange {
  row: LoggedRow | null
  former: LoggedRow | null
  event: PublicEvent
}

export interface StoredEntry {
  idx: number
  subject: string
  entry: string
  salt: Buffer
  details: string
}

const saltBytes = 16

/**
 * Where the root of a complete subtree is stored: entries are appended, and with each one the subtrees that it
 * completes, from the smallest.
 */
export function nodePosition(level: number, index: number): number {
  let last = (index + 1) * 2 ** level - 1
  let position = level
  for (; last > 0; last = Math.floor(last / 2)) position += last
  return position
}

/** The hash that an entry contains of its details; without the salt, they can't be guessed from it. */
export function detailsHash(salt: Buffer, details: string): string {
  return createHash('sha256').update(salt).update(details).digest('hex')
}

/** All SQL of the transparency log. Entries are appended inside the transaction of the change that they describe. */
export const eventLog = repository((sql, connection) => {
  const tables = new Map<string, { table: LoggedTable; rows: ReturnType<typeof loggedRows> }>()
  const last = sql.find<[], { idx: number; at: string }>(
    "SELECT idx, json_extract(entry, '$.at') AS at FROM log_entries ORDER BY idx DESC LIMIT 1",
  )
  const latest = sql.findValue<[subject: string], string>(
    'SELECT details FROM log_entries WHERE subject = ? ORDER BY idx DESC LIMIT 1',
  )
  const insert = sql.run<[entry: StoredEntry]>(`
    INSERT INTO log_entries (idx, subject, entry, salt, details)
    VALUES (@idx, @subject, @entry, @salt, @details)`)
  const insertNode = sql.run<[position: number, hash: Uint8Array]>(
    'INSERT INTO log_nodes (position, hash) VALUES (?, ?)',
  )
  const node = sql.findValue<[position: number], Buffer>('SELECT hash FROM log_nodes WHERE position = ?')
  const listUnlogged = sql.composed<[], { key: string | number }>()

  const findNode = (level: number, index: number): Buffer | null => node(nodePosition(level, index))

  const readNode: ReadNode = (level, index) => {
    const hash = findNode(level, index)
    if (hash === null) throw new Error(`The transparency log has no node ${index} of level ${level}`)
    return hash
  }

  const readSize = (): number => (last()?.idx ?? -1) + 1

  const tableOf = (subject: string) => {
    const name = subject.slice(0, subject.indexOf('/'))
    const known = tables.get(name)
    if (known !== undefined) return known
    const table = loggedTables.find((one) => one.name === name)
    if (table === undefined) return null
    const made = { table, rows: loggedRows(connection, table) }
    tables.set(name, made)
    return made
  }

  const append = (details: Details, event: PublicEvent): { index: number; at: string } => {
    const previous = last()
    const index = (previous?.idx ?? -1) + 1
    const now = new Date().toISOString()
    const at = previous !== null && previous.at > now ? previous.at : now
    const salt = randomBytes(saltBytes)
    const text = canonicalJson(details as unknown as JsonValue)
    const entry = canonicalJson({ ...event, at, detailsSha256: detailsHash(salt, text) })
    insert({ idx: index, subject: details.subject, entry, salt, details: text })
    let hash = leafHash(Buffer.from(entry))
    insertNode(nodePosition(0, index), hash)
    // Each complete subtree whose last leaf this is.
    for (let level = 0, right = index; right % 2 === 1; level += 1, right = (right - 1) / 2) {
      hash = nodeHash(readNode(level, right - 1), hash)
      insertNode(nodePosition(level + 1, (right - 1) / 2), hash)
    }
    return { index, at }
  }

  const findLatest = (subject: string): Details | null => {
    const text = latest(subject)
    return text === null ? null : (JSON.parse(text) as Details)
  }

  const find = (subject: string) =>
    tableOf(subject)?.rows.find(subject.slice(subject.indexOf('/') + 1)) ?? { row: null, shown: {} }

  const findChange = (subject: string): RowChange | null => {
    const { row, shown } = find(subject)
    const former = findLatest(subject)?.row ?? null
    if (canonicalJson(row) === canonicalJson(former)) return null
    const event = tableOf(subject)?.table.describe(row, former, shown)
    return event === undefined ? null : { row, former, event }
  }

  return {
    append,
    findLatest,
    /** What has become of a row since the last entry about it; null if nothing has. */
    findChange,
    /** The table of a subject; throws for another one. */
    getTable(subject: string): LoggedTable {
      const table = tableOf(subject)?.table
      if (table === undefined) throw new Error(`${subject} is not a row of a logged table`)
      return table
    },
    findRow: (subject: string) => find(subject).row,
    readNode,
    findNode,
    countNodes: sql.count<[]>('SELECT count(*) FROM log_nodes'),
    /** The index of the last entry about the subject. */
    findLatestIndex: sql.findValue<[subject: string], number | null>(
      'SELECT max(idx) FROM log_entries WHERE subject = ?',
    ),
    readSize,
    readRoot: (size: number) => rootHash(size, readNode),
    /** The entries from `start` to `end` (exclusive). */
    list: sql.list<[start: number, end: number], StoredEntry>(
      'SELECT idx, subject, entry, salt, details FROM log_entries WHERE idx >= ? AND idx < ? ORDER BY idx',
    ),
    /** The keys of rows that no entry is about. */
    listUnlogged: ({ name, key }: LoggedTable) =>
      listUnlogged(
        `SELECT ${key} AS key FROM ${name} t
         WHERE NOT EXISTS (SELECT 1 FROM log_entries WHERE subject = '${name}/' || t.${key})`,
      ).map((row) => row.key),
    /** Appends what the row is now, unless the log says that already. */
    recordRow(subject: string, more: Record<string, JsonValue>): void {
      const change = findChange(subject)
      if (change !== null) append({ subject, row: change.row }, { ...change.event, ...more })
    },
  }
})
