import type { z } from 'zod'
import { auditEntrySchema, auditPageSize } from '../../../shared/contracts/dashboard.ts'
import type { AuditEntry, auditQuerySchema } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { unfinished } from '../agents-query.ts'
import type { AgentsQuery } from '../agents-query.ts'
import { contractRecord } from '../records.ts'
import { readSlice } from '../slices.ts'
import type { SliceState } from '../slices.ts'
import { hashedColumn, isVerified, isVerifiedByCells, oversizedCells } from './audit-hash.ts'
import { bytesOf } from './public-lists.ts'

type AuditParams = z.output<typeof auditQuerySchema>

interface Search extends SliceState {
  found: EntryText[]
}

const searched = ['agent_name', 'event_type', 'detail']

/** `/api/audit` as JSON. A page is one read; a search runs in slices. */
export const listDashboardAudit: AgentsQuery<AuditParams, Uint8Array> = {
  read(database, { before = Number.MAX_SAFE_INTEGER, q = '' }, state: Partial<Search>) {
    if (database.columnsOf('audit_log') === null) return pageOf([])
    const id = database.column('audit_log', 'id')
    if (q === '')
      return pageOf(listEntries(database, `${id} < ? ORDER BY ${id} DESC LIMIT ${fetchedRows}`, before))
    state.below ??= before
    const filter = textFilter(database, q)
    const isLast = readSlice(database, 'audit_log', id, state, (from, below) => {
      const { found = [] } = state
      state.found = found.concat(
        listEntries(
          database,
          `${id} < ? AND ${id} >= ? AND (${filter.sql}) ORDER BY ${id} DESC LIMIT ?`,
          below,
          from,
          ...filter.values,
          fetchedRows - found.length,
        ),
      )
      return state.found.length < fetchedRows
    })
    return isLast ? pageOf(state.found ?? []) : unfinished
  },
}

/** One entry more than a page, to know whether another page follows. */
const fetchedRows = auditPageSize + 1

function pageOf(found: readonly EntryText[]): Uint8Array {
  const shown = found.slice(0, auditPageSize)
  const last = found.length > auditPageSize ? shown.at(-1)?.id : null
  const next = typeof last === 'number' ? `,"next":${last}` : ''
  return bytesOf(`{"entries":[${shown.map(({ text }) => text).join(',')}]${next}}`)
}

/** SQLite's LIKE ignores case for ASCII only, but is several times faster than comparing lowercase text. */
export function textFilter(database: AgentsDatabase, q: string): { sql: string; values: string[] } {
  const cells = searched.map((name) => database.column('audit_log', name))
  // oxlint-disable-next-line no-control-regex
  const isAscii = /^[\x00-\x7f]*$/.test(q)
  const value = isAscii ? `%${q.replaceAll(/[\\%_]/g, '\\$&')}%` : q.toLowerCase()
  const tests = cells.map((cell) =>
    isAscii ? `${cell} LIKE ? ESCAPE '\\'` : `instr(lower_case(${cell}), ?) > 0`,
  )
  return { sql: tests.join(' OR '), values: cells.map(() => value) }
}

/** An entry as JSON. */
interface EntryText {
  id: number | null
  text: string
}

const entryCells = contractRecord(auditEntrySchema.omit({ verified: true, invalid: true }))

/** The entries of these rows, each verified against its hash. */
function listEntries(database: AgentsDatabase, where: string, ...values: unknown[]): EntryText[] {
  const cells = database.columns('audit_log', entryCells.columns)
  const select = (more: string): Row[] =>
    database.all(`SELECT ${cells}${more} FROM audit_log WHERE ${where}`, ...values)
  const entries = select('').map(check)
  if (!entries.includes(null)) return entries as EntryText[]
  // If one of them has an unusual cell, all are verified by their bytes.
  return select(`, ${hashedColumn(database)}`).map((row) => toText(row, isVerified(row)))
}

/** The same page is polled with hardly any new rows, so verified rows are cached with their cells. */
const checked = new Map<unknown, { row: Row; entry: EntryText }>()
const maxCheckedRows = 2048
const maxLength = 4096

/** Null if only the bytes can tell. */
function check(row: Row): EntryText | null {
  const known = checked.get(row['id'])
  if (known !== undefined && entryCells.columns.every((name) => known.row[name] === row[name]))
    return known.entry
  const verified = isVerifiedByCells(row)
  if (verified === null) return null
  const entry = toText(row, verified)
  checked.delete(row['id'])
  if (checked.size >= maxCheckedRows) checked.delete(checked.keys().next().value)
  if (entry.text.length <= maxLength) checked.set(row['id'], { row, entry })
  return entry
}

function toText(row: Row, verified: boolean): EntryText {
  const { id, ...cells } = entryCells.from(row)
  const invalid = oversizedCells(row)
  const entry: AuditEntry = { id, ...cells, verified, ...(invalid.length > 0 && { invalid }) }
  return { id, text: JSON.stringify(entry) }
}
