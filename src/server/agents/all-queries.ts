import type { AgentsQuery } from './agents-query.ts'
import { backgroundSync } from './queries/background-sync.ts'
import { getDeskAgent, listDeskAgents } from './queries/desk-agents.ts'
import { getAuditFacets, listAudit } from './queries/desk-audit.ts'
import { getAgentBroker, listBrokerRoutes } from './queries/desk-broker.ts'
import { exportAgentCost, getAgentCost, listAgentBudgets, listCostEvents } from './queries/desk-cost.ts'
import { getAgentOverview } from './queries/desk-overview.ts'
import { getSupervisorRestarts, listDeskSupervisors } from './queries/desk-supervisors.ts'
import { listEdge, listTrust } from './queries/desk-tables.ts'
import { listDashboardAudit } from './queries/public-audit.ts'
import { dashboardLists } from './queries/public-lists.ts'

/** The queries of the desk's views, by the names of their routes; one export has its own query. */
export const viewQueries = {
  exportAgentCost,
  getAgentBroker,
  getAgentCost,
  getAgentOverview,
  getAuditFacets,
  getDeskAgent,
  getSupervisorRestarts,
  listAgentBudgets,
  listAudit,
  listBrokerRoutes,
  listCostEvents,
  listDeskAgents,
  listDeskSupervisors,
  listEdge,
  listTrust,
}

/** All queries that the reading process can run, by name; those of the dashboard API (section 4.5) by their routes. */
export const allQueries = { ...viewQueries, ...dashboardLists, listDashboardAudit, backgroundSync }

type AgentsQueries = typeof allQueries
export type QueryName = keyof AgentsQueries
export type ParamsOf<Name extends QueryName> =
  AgentsQueries[Name] extends AgentsQuery<infer Params, infer _Value> ? Params : never
export type ValueOf<Name extends QueryName> =
  AgentsQueries[Name] extends AgentsQuery<infer _Params, infer Value> ? Value : never
