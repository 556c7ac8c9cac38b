import Sqlite from 'better-sqlite3'
import { noFile, wrapConnection } from './agents-database.ts'
import type { AgentsDatabase } from './agents-database.ts'

/** Returned by a slice if the query needs another one. */
export const unfinished = Symbol('unfinished')

/**
 * A query of an agent project's database. It runs in the reading process, inside one read transaction on a connection
 * that is closed afterwards. Anything that may take longer than about 30 ms is read in slices, each in its own
 * transaction, so that the owner of the file never waits longer than one slice and the query can be canceled in
 * between.
 */
export interface AgentsQuery<Params, Value> {
  /**
   * Reads one slice. `state` is empty at first; what a slice sets there, the next one gets. A slice that could not be
   * read is repeated with a copy of the state it began with.
   */
  read(database: AgentsDatabase, params: Params, state: object): Value | typeof unfinished
  /** No caller is waiting: its slices run while no other query is being read, or after a maximum delay. */
  isBackground?: true
}

/** The answer for a project without a database, and when no project is chosen. */
export const emptyAnswer = <Params, Value>(query: AgentsQuery<Params, Value>, params: Params) =>
  query.read(wrapConnection(new Sqlite(':memory:'), noFile), params, {}) as Value
