import type { AgentsDatabase } from './agents-database.ts'

/** What one slice of a query gives: the value, or where the next slice goes on. */
export type Step<State, Value> = { value: Value } | { more: State }

/**
 * A query of an agent project's database. It runs in the worker, inside one read transaction of a connection that is
 * closed behind it. Whatever may take longer than about 30 ms is read in slices: each has a transaction of its
 * own, so that the owner of the file never waits longer than for one, and the query can be cancelled in between.
 */
export interface AgentsQuery<Params, Value, State = never> {
  read(database: AgentsDatabase, params: Params, state: State | undefined): Step<State, Value>
  /** Nobody waits for it: its slices are taken when no other query is being read, or after a while all the same. */
  isBackground?: true
  /** What a project without a database answers; also the answer where no project is chosen. */
  empty(params: Params): Value
}
