import type Sqlite from 'better-sqlite3'

/**
 * A parameter to compare with, for statements that are used often: after a plain `?` gets a new value, SQLite may plan
 * the statement again, which takes longer than finding a row. The same is true of `LIMIT ?`.
 */
export const anyValue = '+?'

/**
 * Statements as the functions of a repository, with the parameters of the statement. Each is prepared when it is first
 * used: there are hundreds, and preparing them all would take time and memory at every start.
 */
function statementsOf(connection: Sqlite.Database, onText: (sql: string) => void) {
  const whenUsed = <Statement>(sql: string, prepare: () => Statement): (() => Statement) => {
    onText(sql)
    let prepared: Statement | null = null
    return () => (prepared ??= prepare())
  }
  const rows = <P extends unknown[], Row>(sql: string) => whenUsed(sql, () => connection.prepare<P, Row>(sql))
  const values = <P extends unknown[], Value>(sql: string) =>
    whenUsed(sql, () => connection.prepare<P, Value>(sql).pluck())
  const present = <Row>(row: Row | undefined, sql: string): Row => {
    if (row === undefined) throw new Error(`No row: ${sql}`)
    return row
  }

  return {
    /** Returns the row, or null. */
    find<P extends unknown[], Row>(sql: string) {
      const statement = rows<P, Row>(sql)
      return (...parameters: P): Row | null => statement().get(...parameters) ?? null
    },

    /** Returns the row of a statement that always has one, such as an aggregate. */
    get<P extends unknown[], Row>(sql: string) {
      const statement = rows<P, Row>(sql)
      return (...parameters: P): Row => present(statement().get(...parameters), sql)
    },

    /** Returns all rows. */
    list<P extends unknown[], Row>(sql: string) {
      const statement = rows<P, Row>(sql)
      return (...parameters: P): Row[] => statement().all(...parameters)
    },

    /** Returns all rows of a statement that reads its only parameter, a list, with `json_each(?)`. */
    listIn<Item, Row>(sql: string) {
      const statement = rows<[string], Row>(sql)
      return (items: readonly Item[]): Row[] => statement().all(JSON.stringify(items))
    },

    /** Returns all rows of statements whose text depends on the query. */
    composed<P extends unknown[], Row>() {
      const statements = new Map<string, () => Sqlite.Statement<P, Row>>()
      return (sql: string, ...parameters: P): Row[] => {
        const statement = statements.get(sql) ?? rows<P, Row>(sql)
        statements.set(sql, statement)
        return statement().all(...parameters)
      }
    },

    /** Returns the only column of the row, or null. */
    findValue<P extends unknown[], Value>(sql: string) {
      const statement = values<P, Value>(sql)
      return (...parameters: P): Value | null => statement().get(...parameters) ?? null
    },

    /** Returns the only column of a row that there always is. */
    getValue<P extends unknown[], Value>(sql: string) {
      const statement = values<P, Value>(sql)
      return (...parameters: P): Value => present(statement().get(...parameters), sql)
    },

    /** Returns the only column of all rows. */
    listValues<P extends unknown[], Value>(sql: string) {
      const statement = values<P, Value>(sql)
      return (...parameters: P): Value[] => statement().all(...parameters)
    },

    /** Returns whether there is a row. */
    exists<P extends unknown[]>(sql: string) {
      const statement = rows<P, unknown>(sql)
      return (...parameters: P): boolean => statement().get(...parameters) !== undefined
    },

    /** Returns the number that the statement counts. */
    count<P extends unknown[]>(sql: string) {
      const statement = values<P, number>(sql)
      return (...parameters: P): number => statement().get(...parameters) ?? 0
    },

    /** Changes rows. */
    run<P extends unknown[]>(sql: string) {
      const statement = rows<P, unknown>(sql)
      return (...parameters: P): void => void statement().run(...parameters)
    },

    /** Changes rows, and returns their number. */
    change<P extends unknown[]>(sql: string) {
      const statement = rows<P, unknown>(sql)
      return (...parameters: P): number => statement().run(...parameters).changes
    },

    /** Changes rows, and returns whether there were any. */
    affects<P extends unknown[]>(sql: string) {
      const statement = rows<P, unknown>(sql)
      return (...parameters: P): boolean => statement().run(...parameters).changes > 0
    },

    /** Inserts a row, and returns its id. */
    insert<P extends unknown[]>(sql: string) {
      const statement = rows<P, unknown>(sql)
      return (...parameters: P): number => Number(statement().run(...parameters).lastInsertRowid)
    },
  }
}

export type Statements = ReturnType<typeof statementsOf>

/** A repository, created once per connection, so that all callers share its prepared statements. */
export function repository<Repository>(create: (sql: Statements, connection: Sqlite.Database) => Repository) {
  const known = new WeakMap<Sqlite.Database, Repository>()
  function of(connection: Sqlite.Database): Repository {
    const created =
      known.get(connection) ??
      create(
        statementsOf(connection, () => {}),
        connection,
      )
    known.set(connection, created)
    return created
  }
  /** The statements with a fixed text, so that tests can read their query plans. */
  of.texts = (connection: Sqlite.Database): string[] => {
    const texts: string[] = []
    create(
      statementsOf(connection, (sql) => texts.push(sql)),
      connection,
    )
    return texts
  }
  return of
}
