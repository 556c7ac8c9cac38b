import type { Connection } from './database.ts'

/** A table, index, trigger or view from `sqlite_schema`. */
export interface SchemaObject {
  type: 'table' | 'index' | 'trigger' | 'view'
  name: string
  /** The table that it belongs to; its own name for a table. */
  table: string
  sql: string
}

interface StoredColumn {
  name: string
  /** As declared: TEXT, BLOB, INTEGER, REAL. */
  type: string
  /** Position in the primary key, from 1; 0 if it is not part of it. */
  pk: number
}

/** Not the tables of SQLite itself, nor those that Litestream adds to a database that it replicates. */
const isOwn = String.raw`name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_litestream\_%' ESCAPE '\'`

/** All objects created by migrations, by `type name`, without those of SQLite itself and of FTS5. */
export function readSchema(connection: Connection): Map<string, SchemaObject> {
  const objects = connection
    .prepare<[], SchemaObject>(
      `SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema
       WHERE sql IS NOT NULL AND ${isOwn}
         AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')
       ORDER BY type = 'table' DESC, name`,
    )
    .all()
  return new Map(objects.map((object) => [`${object.type} ${object.name}`, object]))
}

/** Ordinary tables, without virtual tables and their shadow tables. */
export function listTables(connection: Connection): string[] {
  return connection
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND ${isOwn} ORDER BY name`,
    )
    .pluck()
    .all()
}

export function listColumns(connection: Connection, table: string): StoredColumn[] {
  return connection
    .prepare<[string], StoredColumn>('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid')
    .all(table)
}

/** Rows per page. */
const rowsAtOnce = 200

interface StoredRow {
  /** The primary key's values. */
  key: unknown[]
  values: unknown[]
}

/** Reads columns of all rows of a table, ordered by its primary key. */
export function* readRows(
  connection: Connection,
  table: string,
  columns: readonly string[],
): Generator<StoredRow, void, undefined> {
  const keys = listColumns(connection, table)
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map(({ name }) => quoted(name))
  const key = keys.join(', ')
  const select = `SELECT ${[...keys, ...columns.map(quoted)].join(', ')} FROM ${quoted(table)}`
  const order = `ORDER BY ${key} LIMIT ${rowsAtOnce}`
  const first = connection.prepare<[], unknown[]>(`${select} ${order}`).raw()
  const next = connection
    .prepare<unknown[], unknown[]>(`${select} WHERE (${key}) > (${keys.map(() => '?').join(', ')}) ${order}`)
    .raw()
  for (let page = first.all(); page.length > 0;) {
    for (const row of page) yield { key: row.slice(0, keys.length), values: row.slice(keys.length) }
    page = next.all(...(page.at(-1)?.slice(0, keys.length) ?? []))
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Drops an object that is unknown to the migrations or differs from theirs. */
export function dropObject(connection: Connection, { type, name }: SchemaObject): void {
  connection.exec(`DROP ${type.toUpperCase()} IF EXISTS ${quoted(name)}`)
}
