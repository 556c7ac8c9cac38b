import { auditKindOf } from '../../../shared/audit-kinds.texts.ts'
import type { AuditKind, LogType } from '../../../shared/audit-kinds.texts.ts'
import type { AuditChannel } from '../../../shared/contracts/desk-audit-log.ts'
import { repository } from '../repository.ts'
import { canonicalJson } from './canonical-json.ts'
import { eventLog } from './event-log.ts'
import type { Details, StoredEntry } from './event-log.ts'
import { auditedTables, loggedRows, loggedTables } from './logged-tables.ts'
import type { LoggedRow, LoggedTable, Subject } from './logged-tables.ts'
import { currentOrigin } from './origin.ts'
import type { Origin } from './origin.ts'

interface NewEvent extends Omit<Origin, 'channel'> {
  channel: AuditChannel | null
  at: string
  kind: AuditKind
  name: string
  release: number | null
  /** The decision or the dismissal of an event of a release, or the project. */
  ref: number | null
  /** The index in the transparency log. */
  entry: number | null
  /** The row, as JSON, of an event that is not in the transparency log. */
  details: string | null
}

/** Refused sign-ins of one client network. */
export interface RefusedSignIns {
  channel: AuditChannel
  network: string | null
  /** The error code. */
  code: string | null
  count: number
}

const firstValue = (row: LoggedRow | null, columns: readonly string[] = []): string | number | null =>
  columns.map((column) => row?.[column] ?? null).find((value) => value !== null) ?? null

/** The tables whose `ref` is their key; their reasons are read from them. */
const withRef = new Set(['decisions', 'deprecations', 'judgements', 'name_owners', 'projects'])

/**
 * Records changes, inside their transaction, in the transparency log and in the audit log, which also says who made them
 * and from where (decision 031).
 */
export const auditLog = repository((sql, connection) => {
  const log = eventLog(connection)
  const insert = sql.run<[event: NewEvent]>(`
    INSERT INTO history (at, kind, person_id, channel, address, name, release_id, ref, entry, details)
    VALUES (@at, @kind, @person, @channel, @address, @name, @release, @ref, @entry, @details)`)
  const insertRefused = sql.insert<[event: RefusedSignIns & { at: string; details: string }]>(`
    INSERT INTO history (at, kind, channel, address, name, details, count, last_at)
    VALUES (@at, 'session.refused', @channel, @network, '', @details, @count, @at)`)
  const addRefused = sql.run<[count: number, at: string, id: number]>(
    'UPDATE history SET count = count + ?, last_at = ? WHERE id = ?',
  )
  const subjectOf = sql.findValue<[person: number], string>('SELECT subject FROM people WHERE id = ?')
  const skillOf = sql.findValue<[release: number], string>('SELECT name FROM releases WHERE id = ?')

  const nameOf = (subject: Subject): string => {
    if ('person' in subject) return subjectOf(subject.person) ?? ''
    return 'release' in subject ? (skillOf(subject.release) ?? '') : subject.name
  }

  /**
   * A person that the row names is the one who acts, even if someone else's request has set it off, such as a shutdown
   * that carries out held decisions. Without one, people act on their own accounts, for instance when they sign in.
   */
  const actorOf = (table: LoggedTable, row: LoggedRow | null, about: Subject): Origin => {
    const origin = currentOrigin()
    const named = firstValue(row, table.by)
    if (named !== null && named !== origin.person) {
      const isOthers = origin.person !== null
      return {
        person: Number(named),
        channel: isOthers ? 'server' : origin.channel,
        address: isOthers ? null : origin.address,
      }
    }
    const isOwn = origin.address !== null && 'person' in about
    return { ...origin, person: origin.person ?? (isOwn ? about.person : null) }
  }

  const add = (event: Omit<NewEvent, 'name' | 'release'>, about: Subject): void =>
    insert({
      ...event,
      name: nameOf(about),
      release: 'release' in about ? about.release : null,
    })

  const recordChange = (table: LoggedTable, subject: string): void => {
    const change = log.findChange(subject)
    if (change === null) return
    const { row, former, event } = change
    const key = subject.slice(table.name.length + 1)
    const about = table.about(row ?? former ?? {}, key)
    const actor = actorOf(table, row, about)
    const { person, channel } = actor
    const { index, at } = log.append({ subject, row, by: { person, channel } }, event)
    const isNew = row !== null && !event.type.endsWith('.changed')
    add(
      {
        ...actor,
        at: String((isNew ? firstValue(row, table.at) : null) ?? at),
        kind: auditKindOf(event.type),
        ref: withRef.has(table.name) ? Number(key) : null,
        entry: index,
        details: null,
      },
      about,
    )
  }

  const audited = new Map(
    auditedTables.map((table) => [table.name, { table, rows: loggedRows(connection, table) }]),
  )

  return {
    /** Records what has become of the row, unless it is what was recorded before. */
    recordRow(subject: string): void {
      const end = subject.indexOf('/')
      const { table, rows } = audited.get(subject.slice(0, end)) ?? {}
      if (table === undefined || rows === undefined) {
        recordChange(log.getTable(subject), subject)
        return
      }
      const key = subject.slice(end + 1)
      const { row } = rows.find(key)
      if (row === null) return
      const about = table.about(row, key)
      add(
        {
          ...actorOf(table, row, about),
          at: new Date().toISOString(),
          kind: auditKindOf(table.describe(row, null, {}).type),
          ref: null,
          entry: null,
          details: canonicalJson({ row }),
        },
        about,
      )
    },

    /** Records an event that the transparency log has and the audit log has lost. */
    restore({ idx, subject, entry, details }: StoredEntry): void {
      const { row, by } = JSON.parse(details) as Details
      const { type, at } = JSON.parse(entry) as { type: LogType; at: string }
      const [name = '', key = name] = subject.split('/', 2)
      const table = loggedTables.find((one) => one.name === name)
      add(
        {
          person: by?.person ?? null,
          channel: by?.channel ?? null,
          address: null,
          at,
          kind: auditKindOf(type),
          ref: withRef.has(name) ? Number(key) : null,
          entry: idx,
          details: null,
        },
        table === undefined || row === null ? { name: key } : table.about(row, key),
      )
    },

    /** Records an event that is not the change of a row. */
    recordEvent(subject: string, row: LoggedRow, type: LogType): void {
      const origin = currentOrigin()
      const { person, channel } = origin
      const { index, at } = log.append({ subject, row, by: { person, channel } }, { type })
      add(
        { ...origin, at, kind: auditKindOf(type), ref: null, entry: index, details: null },
        { name: subject },
      )
    },

    /** Records that a person has denied a terminal the sign-in that it had asked for. */
    recordDenied: (person: number, row: LoggedRow): void =>
      add(
        {
          ...currentOrigin(),
          person,
          at: new Date().toISOString(),
          kind: 'terminal.denied',
          ref: null,
          entry: null,
          details: canonicalJson({ row }),
        },
        { person },
      ),

    /** Returns the id of the event. */
    insertRefused: ({ code, ...refused }: RefusedSignIns): number =>
      insertRefused({
        ...refused,
        code,
        at: new Date().toISOString(),
        details: canonicalJson({ row: { code } }),
      }),
    addRefused: (id: number, count: number): void => addRefused(count, new Date().toISOString(), id),
  }
})
