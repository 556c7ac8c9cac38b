import Sqlite from 'better-sqlite3'
import { cappedColumn, numberOf, textOf } from './cell-values.ts'
import { statProjectFiles } from './project-files.ts'

export type Row = Record<string, unknown>

/** The path of a database that does not exist. */
export const noFile = ''

/**
 * A connection to the agent project's database `file` for one read. Missing tables and columns read as NULL, so that
 * queries need not check for them.
 */
export function wrapConnection(connection: Sqlite.Database, file: string, files = statProjectFiles(file)) {
  const tables = new Map<string, ReadonlyMap<string, string> | null>()
  let thrown: unknown = null
  const track = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      thrown = error
      throw error
    }
  }
  const columnsOf = (table: string): ReadonlyMap<string, string> | null => {
    if (!tables.has(table))
      tables.set(
        table,
        track(() => readColumns(connection, table)),
      )
    return tables.get(table) ?? null
  }
  const column = (table: string, name: string): string => columnsOf(table)?.get(name) ?? 'NULL'

  // SQL functions for what SQLite itself cannot do.
  const options = { deterministic: true, directOnly: true }
  connection.function('number_of', options, numberOf)
  connection.function('lower_case', options, (cell) => textOf(cell)?.toLowerCase() ?? null)

  return {
    file,
    /** The files as they were before the database was opened. A later change may be missing from what is read. */
    files,
    /**
     * SQL for each column of a real table, by name; null if it does not exist. Views do not count: they run code of the
     * project's author.
     */
    columnsOf,
    /**
     * SQL for a column, or NULL if the table has no such column. Cells over the size cap are not read (`cappedColumn`).
     */
    column,
    /** A SELECT list of these columns under their own names; missing ones are NULL. */
    columns: (table: string, names: readonly string[]): string =>
      names.map((name) => `${column(table, name)} AS "${name}"`).join(', '),
    /** SQL for the number in a column, whether stored as a number or as text; NULL if it is neither. */
    numeric(table: string, name: string): string {
      const cell = column(table, name)
      if (cell === 'NULL') return cell
      return `CASE typeof(${cell}) WHEN 'integer' THEN ${cell} WHEN 'real' THEN ${cell} ELSE number_of(${cell}) END`
    },
    /** Whether row ids reflect the order of insertion. */
    hasRowid: (table: string): boolean => track(() => hasRowid(connection, table)),
    /**
     * Ends the transaction that all statements share; each later one has its own. With a rollback journal, the owner then
     * waits for one statement at most, but statements may see different states.
     */
    release(): void {
      if (connection.inTransaction) track(() => connection.exec('COMMIT'))
    },
    /** For a read that scans the same rows twice: keeps 16 MiB of the file in memory until it ends. */
    enlargeCache: (): void => void track(() => connection.pragma('cache_size = -16384')),
    /** Whether text is stored as UTF-8; almost always true. */
    isUtf8: (): boolean => track(() => connection.pragma('encoding', { simple: true }) === 'UTF-8'),
    all: (sql: string, ...values: unknown[]): Row[] =>
      track(() => connection.prepare<unknown[], Row>(sql).all(...values)),
    get: (sql: string, ...values: unknown[]): Row | undefined =>
      track(() => connection.prepare<unknown[], Row>(sql).get(...values)),
    /** Reports damage that SQLite itself does not notice. */
    throwCorrupt: (message: string): never =>
      track(() => {
        throw new Sqlite.SqliteError(message, 'SQLITE_CORRUPT')
      }),
    /** Whether SQLite threw this error, rather than the code that runs the statements. */
    isOwnError: (error: unknown): boolean => error === thrown,
  }
}

export type AgentsDatabase = ReturnType<typeof wrapConnection>

/** The columns of tables, by the statement that made the table: it is read faster than the columns, and determines them. */
const knownColumns = new Map<string, ReadonlyMap<string, string>>()
const maxKnownTables = 100
/** Longer statements are not kept: the file is untrusted. */
const maxStatementLength = 10_000

/** Names compare as in SQLite: ASCII letters are case-insensitive. */
function readColumns(connection: Sqlite.Database, table: string): ReadonlyMap<string, string> | null {
  const statement = connection
    .prepare<[string], string>(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE",
    )
    .pluck()
    .get(table)
  if (statement === undefined) return null
  const known = knownColumns.get(statement)
  if (known !== undefined) return known
  const rows = connection
    .prepare<[string], { name: string; type: string; pk: number }>(
      'SELECT name, type, pk FROM pragma_table_info(?)',
    )
    .all(table)
  const keys = rows.filter(({ pk }) => pk > 0)
  // An INTEGER PRIMARY KEY is the row id: always an integer, and only the bare name uses its index.
  const isRowid = (type: string): boolean =>
    keys.length === 1 && type.toUpperCase() === 'INTEGER' && hasRowid(connection, table)
  const columns = new Map(
    rows.map(({ name, type, pk }) => {
      const quoted = `"${name.toLowerCase()}"`
      return [name.toLowerCase(), pk > 0 && isRowid(type) ? quoted : cappedColumn(quoted)]
    }),
  )
  if (knownColumns.size >= maxKnownTables) knownColumns.clear()
  if (statement.length <= maxStatementLength) knownColumns.set(statement, columns)
  return columns
}

function hasRowid(connection: Sqlite.Database, table: string): boolean {
  const found = connection
    .prepare<[string], { wr: number }>(
      "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
    )
    .get(table)
  return found?.wr === 0
}
