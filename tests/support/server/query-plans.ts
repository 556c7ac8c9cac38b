import type Sqlite from 'better-sqlite3'

interface WithTexts {
  texts(connection: Sqlite.Database): string[]
}

/** How SQLite runs each statement of these repositories, by its text. */
export function plansOf(
  connection: Sqlite.Database,
  ...repositories: readonly WithTexts[]
): Map<string, string[]> {
  const texts = new Set(repositories.flatMap((repository) => repository.texts(connection)))
  return new Map(
    [...texts].filter((sql) => !sql.startsWith('PRAGMA')).map((sql) => [sql, planOf(connection, sql)]),
  )
}

/** How SQLite runs a statement, with 1 for each parameter. */
export function planOf(connection: Sqlite.Database, sql: string): string[] {
  return connection
    .prepare<[], string>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?|@\w+/g, '1')}`)
    .raw()
    .all()
    .map((row) => String(row[3]))
}
