import { auditPageSize } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase } from '../agents-database.ts'
import type { AgentsQuery } from '../agents-query.ts'
import { integerOf } from '../cell-values.ts'
import { jsonListOf } from '../json-value.ts'
import { firstSlice, nextSlice } from '../slices.ts'
import { listEntries } from './audit-entries.ts'
import type { EntryText } from './audit-entries.ts'

export interface AuditParams {
  /** Only entries with smaller ids. */
  before?: number | undefined
  /** What agent, event or detail have to hold. */
  q?: string | undefined
}

interface Search {
  found: EntryText[]
  /** The search goes on below this id. */
  below: number
  rows: number
}

const searched = ['agent_name', 'event_type', 'detail']

/** `/api/audit` as JSON text. A page is one read; a search looks at some thousand rows in each slice. */
export const listAudit: AgentsQuery<AuditParams, Uint8Array, Search> = {
  read(database, { before, q }, state) {
    if (database.columnsOf('audit_log') === null) return { value: pageOf([]) }
    const below = before ?? Number.MAX_SAFE_INTEGER
    if (q === undefined || q === '') return { value: pageOf(listPage(database, below)) }
    return searchSlice(database, q, state ?? { found: [], below, rows: firstSlice })
  },
  empty: () => pageOf([]),
}

/** One entry more than a page holds tells that another page follows. */
const wanted = auditPageSize + 1

function pageOf(found: EntryText[]): Uint8Array {
  const shown = found.slice(0, auditPageSize)
  const next = found.length > auditPageSize ? shown.at(-1)?.id : undefined
  return jsonListOf(
    '{"entries":',
    shown.map(({ text }) => text),
    typeof next === 'number' ? `,"next":${next}}` : '}',
  )
}

function listPage(database: AgentsDatabase, below: number): EntryText[] {
  const id = database.column('audit_log', 'id')
  return listEntries(database, `${id} < ? ORDER BY ${id} DESC LIMIT ${wanted}`, below)
}

function searchSlice(
  database: AgentsDatabase,
  q: string,
  { found, below, rows }: Search,
): ReturnType<typeof listAudit.read> {
  const startedAt = performance.now()
  // Once for where the slice ends, and once for what it holds.
  database.keepPages()
  const id = database.column('audit_log', 'id')
  const end = database.get(
    `SELECT ${id} AS id FROM audit_log WHERE ${id} < ? ORDER BY ${id} DESC LIMIT 1 OFFSET ?`,
    below,
    rows,
  )
  const from = integerOf(end?.['id'])
  const filter = textFilter(database, q)
  const slice = listEntries(
    database,
    `${id} < ? AND ${id} >= ? AND (${filter.sql}) ORDER BY ${id} DESC LIMIT ?`,
    below,
    from ?? Number.MIN_SAFE_INTEGER,
    ...filter.values,
    wanted - found.length,
  )
  const all = [...found, ...slice]
  if (from === null || all.length >= wanted) return { value: pageOf(all) }
  return { more: { found: all, below: from, rows: nextSlice(rows, performance.now() - startedAt) } }
}

/** SQLite's LIKE knows the capitals of ASCII alone, and is several times as quick as knowing all. */
export function textFilter(database: AgentsDatabase, q: string): { sql: string; values: string[] } {
  const cells = searched.map((name) => database.column('audit_log', name))
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(q)) {
    const pattern = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`
    return {
      sql: cells.map((cell) => `${cell} LIKE ? ESCAPE '\\'`).join(' OR '),
      values: cells.map(() => pattern),
    }
  }
  const folded = q.toLowerCase()
  return {
    sql: cells.map((cell) => `instr(lower_case(${cell}), ?) > 0`).join(' OR '),
    values: cells.map(() => folded),
  }
}
