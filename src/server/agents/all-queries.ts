import type { AgentsQuery } from './agents-query.ts'
import { deskAgent } from './queries/desk-agent.ts'
import { deskAgents } from './queries/desk-agents.ts'
import { deskAudit, deskAuditFacets } from './queries/desk-audit.ts'
import { deskBroker, deskRoutesList } from './queries/desk-broker.ts'
import { deskBudgets } from './queries/desk-budgets.ts'
import { deskCost, deskCostEvents, deskCostRows } from './queries/desk-cost.ts'
import { deskOverview } from './queries/desk-overview.ts'
import { backgroundSync } from './queries/background-sync.ts'
import { deskRestarts, deskSupervisors } from './queries/desk-supervisors.ts'
import { deskEdge, deskTrust } from './queries/desk-tables.ts'
import { listAudit } from './queries/public-audit.ts'
import { getBroker } from './queries/public-broker.ts'
import {
  listAgents,
  listBudgets,
  listDeployments,
  listSupervisors,
  listTrust,
} from './queries/public-lists.ts'

/** All queries that the reading process can run, by name. */
export const allQueries = {
  // Dashboard API (section 4.5).
  listAgents,
  listSupervisors,
  listBudgets,
  listAudit,
  listTrust,
  getBroker,
  listDeployments,
  // Desk.
  deskAgent,
  deskAgents,
  deskAudit,
  deskAuditFacets,
  deskBroker,
  deskBudgets,
  deskCost,
  deskCostEvents,
  deskCostRows,
  deskEdge,
  deskOverview,
  deskRestarts,
  deskRoutesList,
  backgroundSync,
  deskSupervisors,
  deskTrust,
}

export type AgentsQueries = typeof allQueries
export type QueryName = keyof AgentsQueries

type QueryOf<Name extends QueryName> = AgentsQueries[Name]
export type ParamsOf<Name extends QueryName> =
  QueryOf<Name> extends AgentsQuery<infer Params, infer _Value, infer _State> ? Params : never
export type ValueOf<Name extends QueryName> =
  QueryOf<Name> extends AgentsQuery<infer _Params, infer Value, infer _State> ? Value : never
