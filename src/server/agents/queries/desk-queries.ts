import { deskAgent } from './desk-agent.ts'
import { deskAgents } from './desk-agents.ts'
import { deskAudit, deskAuditFacets, deskAuditRows } from './desk-audit.ts'
import { deskBroker, deskRoutesList } from './desk-broker.ts'
import { deskBudgets } from './desk-budgets.ts'
import { deskCost, deskCostEvents, deskCostRows } from './desk-cost.ts'
import { deskEdge } from './desk-edge.ts'
import { deskFacts } from './desk-facts.ts'
import { deskOverview } from './desk-overview.ts'
import { deskRestarts } from './desk-restarts.ts'
import { deskSettle } from './desk-settle.ts'
import { deskSupervisors } from './desk-supervisors.ts'
import { deskTrust } from './desk-trust.ts'

/** What the desk asks. */
export const deskQueries = {
  deskAgent,
  deskAgents,
  deskAudit,
  deskAuditFacets,
  deskAuditRows,
  deskBroker,
  deskBudgets,
  deskCost,
  deskCostEvents,
  deskCostRows,
  deskEdge,
  deskFacts,
  deskOverview,
  deskRestarts,
  deskRoutesList,
  deskSettle,
  deskSupervisors,
  deskTrust,
}
