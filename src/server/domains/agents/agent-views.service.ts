import type { AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentQuery, AgentRow } from '../../../shared/contracts/desk-agents.ts'
import type { Database } from '../../db/database.ts'
import type { ParamsOf } from '../../agents/all-queries.ts'
import type { ReadAuditRow } from '../../agents/queries/audit-rows.ts'
import type { ReadAgentRow } from '../../agents/queries/desk-agents.ts'
import type { AgentAlerts } from './agent-alerts.service.ts'
import type { AgentModules } from './agent-modules.repository.ts'
import type { AgentReads, DeskQueryName, Stamped } from './agent-reads.service.ts'
import type { AgentWatch } from './agent-watch.service.ts'

export interface AgentViewParts {
  database: Database
  reads: AgentReads
  alerts: AgentAlerts
  modules: AgentModules
  watch: Pick<AgentWatch, 'revokedDigests'>
}

const alertsShown = 50

/** The views by route name: what the reading process has found, combined with what the registry knows. */
export function createAgentViews({ database, reads, alerts, modules, watch }: AgentViewParts) {
  /** A view that returns the answer of a query unchanged. */
  const show =
    <Name extends DeskQueryName>(query: Name) =>
    (params: ParamsOf<Name>, signal?: AbortSignal): Promise<Stamped<Name>> =>
      reads.read(query, params, signal)

  const withReleases = (rows: readonly ReadAgentRow[]): AgentRow[] => {
    const releases = modules.findReleases(rows.flatMap(({ digest }) => digest ?? []))
    return rows.map(({ digest, ...row }) => ({ ...row, release: releases.get(digest ?? '')?.[0] ?? null }))
  }

  const withAlerts = (rows: readonly ReadAuditRow[]): AuditRow[] =>
    rows.map((row) => ({ ...row, mismatch: row.verified ? null : alerts.mismatchOf(row.id) }))

  return {
    async getAgentOverview(_query: undefined, signal: AbortSignal) {
      const { stamp, ...overview } = await reads.read('deskOverview', undefined, signal)
      const open = alerts.list()
      return { stamp, alerts: open.slice(0, alertsShown), alertsTotal: open.length, ...overview }
    },

    async listDeskAgents(
      { revoked, ...query }: AgentQuery<'listDeskAgents'> & { limit?: number },
      signal?: AbortSignal,
    ) {
      database.assertAvailable()
      const digests = revoked ? watch.revokedDigests() : null
      const page = await reads.read('deskAgents', { ...query, digests }, signal)
      return { ...page, items: withReleases(page.items) }
    },

    async getDeskAgent(query: ParamsOf<'deskAgent'>, signal: AbortSignal) {
      const { agent, ...answer } = await reads.read('deskAgent', query, signal)
      if (agent === null) return { ...answer, agent }
      const { digest, module, timeline, ...row } = agent
      const releases = modules.findReleases(digest === null ? [] : [digest]).get(digest ?? '') ?? []
      const revoked = releases.some(({ status }) => status === 'revoked')
      return {
        ...answer,
        agent: {
          ...row,
          release: releases[0] ?? null,
          module: module === null ? null : { ...module, releases, revoked },
          alerts: alerts.list().filter((alert) => alert.agent === query.name),
          timeline: withAlerts(timeline),
        },
      }
    },

    listDeskSupervisors: (_query?: object, signal?: AbortSignal) =>
      reads.read('deskSupervisors', { digests: watch.revokedDigests() }, signal),

    async listAudit(query: ParamsOf<'deskAudit'>, signal?: AbortSignal) {
      const page = await reads.read('deskAudit', query, signal)
      return { ...page, items: withAlerts(page.items) }
    },

    getSupervisorRestarts: show('deskRestarts'),
    getAgentCost: show('deskCost'),
    listAgentBudgets: show('deskBudgets'),
    listCostEvents: show('deskCostEvents'),
    getAuditFacets: show('deskAuditFacets'),
    listTrust: show('deskTrust'),
    listEdge: show('deskEdge'),
    getAgentBroker: show('deskBroker'),
    listBrokerRoutes: show('deskRoutesList'),
  }
}

export type AgentViews = ReturnType<typeof createAgentViews>
