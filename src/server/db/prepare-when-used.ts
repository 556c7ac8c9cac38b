import type Sqlite from 'better-sqlite3'

type Statement = Sqlite.Statement

/** A statement that is prepared when it is first used. */
class LazyStatement {
  #prepare: () => Statement
  #prepared: Statement | null = null

  constructor(prepare: () => Statement) {
    this.#prepare = prepare
  }

  get #statement(): Statement {
    return (this.#prepared ??= this.#prepare())
  }

  get(...parameters: unknown[]): unknown {
    return this.#statement.get(...parameters)
  }

  all(...parameters: unknown[]): unknown[] {
    return this.#statement.all(...parameters)
  }

  run(...parameters: unknown[]): Sqlite.RunResult {
    return this.#statement.run(...parameters)
  }

  iterate(...parameters: unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...parameters)
  }

  pluck(): this {
    return this.#with((statement) => statement.pluck())
  }

  raw(): this {
    return this.#with((statement) => statement.raw())
  }

  #with(change: (statement: Statement) => Statement): this {
    const prepare = this.#prepare
    this.#prepare = () => change(prepare())
    return this
  }
}

/**
 * Makes a connection prepare each statement when it is first used. Repositories have hundreds of them, which would take
 * memory and time at the start of a server, and most are used rarely.
 */
export function prepareWhenUsed(connection: Sqlite.Database): void {
  const prepare = connection.prepare.bind(connection) as (sql: string) => Statement
  Object.assign(connection, { prepare: (sql: string) => new LazyStatement(() => prepare(sql)) })
}
