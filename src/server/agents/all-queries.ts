import type { AgentsQuery } from './agents-query.ts'
import { deskQueries } from './queries/desk-queries.ts'
import { getBroker } from './queries/get-broker.ts'
import { listAgents } from './queries/list-agents.ts'
import { listAudit } from './queries/list-audit.ts'
import { listBudgets } from './queries/list-budgets.ts'
import { listDeployments } from './queries/list-deployments.ts'
import { listSupervisors } from './queries/list-supervisors.ts'
import { listTrust } from './queries/list-trust.ts'

/** Every query that the worker knows, by the name under which it is asked for. */
export const allQueries = {
  listAgents,
  listSupervisors,
  listBudgets,
  listAudit,
  listTrust,
  getBroker,
  listDeployments,
  ...deskQueries,
}

export type AgentsQueries = typeof allQueries
export type QueryName = keyof AgentsQueries

type QueryOf<Name extends QueryName> = AgentsQueries[Name]
export type ParamsOf<Name extends QueryName> =
  QueryOf<Name> extends AgentsQuery<infer Params, infer _Value, infer _State> ? Params : never
export type ValueOf<Name extends QueryName> =
  QueryOf<Name> extends AgentsQuery<infer _Params, infer Value, infer _State> ? Value : never
