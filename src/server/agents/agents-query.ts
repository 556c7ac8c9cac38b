import type { AgentsDatabase } from './agents-database.ts'

/** The result of one slice: the value, or the state to continue from. */
export type Step<State, Value> = { value: Value } | { more: State }

/**
 * A query of an agent project's database. It runs in the reading process, inside one read transaction on a connection
 * that is closed afterwards. Anything that may take longer than about 30 ms is read in slices, each in its own
 * transaction, so that the owner of the file never waits longer than one slice and the query can be canceled in
 * between.
 */
export interface AgentsQuery<Params, Value, State = never> {
  read(database: AgentsDatabase, params: Params, state: State | undefined): Step<State, Value>
  /** No caller is waiting: its slices run while no other query is being read, or after a maximum delay. */
  isBackground?: true
  /** The answer for a project without a database, and when no project is chosen. */
  empty(params: Params): Value
}
