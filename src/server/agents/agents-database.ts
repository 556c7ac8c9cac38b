import type Sqlite from 'better-sqlite3'
import { cappedColumn, numberOf, textOf } from './cell-values.ts'
import { lookAtFiles } from './project-files.ts'

export type Row = Record<string, unknown>

/** Another program's database during one read, which `file` names: what is not there, a query need not know. */
export function wrapConnection(connection: Sqlite.Database, file: string, files = lookAtFiles(file)) {
  const tables = new Map<string, ReadonlyMap<string, string> | null>()
  let thrown: unknown = null
  const note = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      thrown = error
      throw error
    }
  }

  /** The SQL expression of each column. */
  const expressionsOf = (table: string): ReadonlyMap<string, string> | null => {
    const known = tables.get(table)
    if (known !== undefined) return known
    const found = note(() => readColumns(connection, table))
    tables.set(table, found)
    return found
  }
  const column = (table: string, name: string): string => expressionsOf(table)?.get(name) ?? 'NULL'

  // Functions that a query may call: what SQLite's own do not do.
  const options = { deterministic: true, directOnly: true }
  connection.function('number_of', options, numberOf)
  connection.function('lower_case', options, (cell) => textOf(cell)?.toLowerCase() ?? null)

  return {
    file,
    /** What its files were before it was opened: whatever changes them after that may be missing in what is read. */
    files,
    /** Of real tables alone; null where there is none of that name. A view is somebody else's program. */
    columnsOf(table: string): ReadonlySet<string> | null {
      const expressions = expressionsOf(table)
      return expressions === null ? null : new Set(expressions.keys())
    },
    /** A column of a table that may have no such column: its value up to the cap for cells (`cappedColumn`), or NULL. */
    column,
    /** The columns for a SELECT, each under its own name, NULL for those that are missing. */
    columns: (table: string, names: readonly string[]): string =>
      names.map((name) => `${column(table, name)} AS "${name}"`).join(', '),
    /** An expression for the number in a column, stored as number or as text; NULL where it is none. */
    numeric(table: string, name: string): string {
      const cell = column(table, name)
      if (cell === 'NULL') return cell
      return `CASE typeof(${cell}) WHEN 'integer' THEN ${cell} WHEN 'real' THEN ${cell} ELSE number_of(${cell}) END`
    },
    /** Whether the table keeps its rows in the order in which they were written. */
    hasRowid: (table: string): boolean => note(() => hasRowid(connection, table)),
    /** For a read that goes over the same rows twice: of the file 16 MiB stay in memory until it is over. */
    keepPages: (): void => void note(() => connection.pragma('cache_size = -16384')),
    /** Whether its texts are UTF-8, as nearly everywhere. */
    isUtf8: (): boolean => note(() => connection.pragma('encoding', { simple: true }) === 'UTF-8'),
    all: (sql: string, ...values: unknown[]): Row[] =>
      note(() => connection.prepare<unknown[], Row>(sql).all(...values)),
    get: (sql: string, ...values: unknown[]): Row | undefined =>
      note(() => connection.prepare<unknown[], Row>(sql).get(...values)),
    /** Whether this error is the database's own. */
    hasThrown: (error: unknown): boolean => error === thrown,
  }
}

export type AgentsDatabase = ReturnType<typeof wrapConnection>

/** Names are compared as SQLite compares them, without regard to the case of ASCII letters. */
function readColumns(connection: Sqlite.Database, table: string): ReadonlyMap<string, string> | null {
  const isTable = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE")
    .get(table)
  if (isTable === undefined) return null
  const rows = connection
    .prepare<[string], { name: string; type: string; pk: number }>(
      'SELECT name, type, pk FROM pragma_table_info(?)',
    )
    .all(table)
  const keys = rows.filter(({ pk }) => pk > 0)
  // The number of the row: always an integer, and read through its index only under its plain name.
  const isRowid = (type: string): boolean =>
    keys.length === 1 && type.toUpperCase() === 'INTEGER' && hasRowid(connection, table)
  return new Map(
    rows.map(({ name, type, pk }) => {
      const quoted = `"${name.toLowerCase()}"`
      return [name.toLowerCase(), pk > 0 && isRowid(type) ? quoted : cappedColumn(quoted)]
    }),
  )
}

function hasRowid(connection: Sqlite.Database, table: string): boolean {
  const found = connection
    .prepare<[string], { wr: number }>(
      "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
    )
    .get(table)
  return found?.wr === 0
}
