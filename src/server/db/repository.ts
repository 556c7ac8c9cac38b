import type { Connection } from './database.ts'
import { preparedOnce } from './prepared-once.ts'

/** Prepares statements as the functions of a repository, with the parameters of the statement. */
function statementsOf(connection: Connection) {
  const prepare = <P extends unknown[], Row>(sql: string) => connection.prepare<P, Row>(sql)
  const pluck = <P extends unknown[], Value>(sql: string) => prepare<P, Value>(sql).pluck()
  return {
    /** Returns the row, or null. */
    find<P extends unknown[], Row>(sql: string) {
      const statement = prepare<P, Row>(sql)
      return (...parameters: P): Row | null => statement.get(...parameters) ?? null
    },

    /** Returns all rows. */
    list<P extends unknown[], Row>(sql: string) {
      const statement = prepare<P, Row>(sql)
      return (...parameters: P): Row[] => statement.all(...parameters)
    },

    /** Returns the only column of the row, or null. */
    findValue<P extends unknown[], Value>(sql: string) {
      const statement = pluck<P, Value>(sql)
      return (...parameters: P): Value | null => statement.get(...parameters) ?? null
    },

    /** Returns the only column of all rows. */
    listValues<P extends unknown[], Value>(sql: string) {
      const statement = pluck<P, Value>(sql)
      return (...parameters: P): Value[] => statement.all(...parameters)
    },

    /** Returns whether there is a row. */
    exists<P extends unknown[]>(sql: string) {
      const statement = prepare<P, unknown>(sql)
      return (...parameters: P): boolean => statement.get(...parameters) !== undefined
    },

    /** Returns the number that the statement counts. */
    count<P extends unknown[]>(sql: string) {
      const statement = pluck<P, number>(sql)
      return (...parameters: P): number => statement.get(...parameters) ?? 0
    },

    /** Changes rows. */
    run<P extends unknown[]>(sql: string) {
      const statement = prepare<P, unknown>(sql)
      return (...parameters: P): void => void statement.run(...parameters)
    },

    /** Changes rows, and returns their number. */
    change<P extends unknown[]>(sql: string) {
      const statement = prepare<P, unknown>(sql)
      return (...parameters: P): number => statement.run(...parameters).changes
    },

    /** Inserts a row, and returns its id. */
    insert<P extends unknown[]>(sql: string) {
      const statement = prepare<P, unknown>(sql)
      return (...parameters: P): number => Number(statement.run(...parameters).lastInsertRowid)
    },
  }
}

type Statements = ReturnType<typeof statementsOf>

/** A repository, created once per connection. */
export const repository = <Repository>(prepare: (sql: Statements, connection: Connection) => Repository) =>
  preparedOnce((connection: Connection) => prepare(statementsOf(connection), connection))
