import { agentPageSize } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentModule, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { AuditFilter, AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentFilter, AgentRow } from '../../../shared/contracts/desk-agents.ts'
import type { Database } from '../../db/database.ts'
import type { ParamsOf } from '../../agents/all-queries.ts'
import type { ReadAgentRow } from '../../agents/queries/desk-agents.ts'
import type { ReadAuditRow } from '../../agents/queries/audit-rows.ts'
import type { AgentAlerts } from './agent-alerts.service.ts'
import type { AgentModules } from './agent-modules.service.ts'
import type { AgentReads } from './agent-reads.service.ts'
import type { AgentWatch } from './agent-watch.service.ts'

export interface AgentViewParts {
  database: Database
  reads: AgentReads
  alerts: AgentAlerts
  modules: AgentModules
  watch: Pick<AgentWatch, 'revokedDigests'>
}

export type AuditPlace = Pick<ParamsOf<'deskAudit'>, 'before' | 'after' | 'around'>

const alertsShown = 50

/** What the views show: what the worker has read, with what the registry knows of it. */
export function createAgentViews({ database, reads, alerts, modules, watch }: AgentViewParts) {
  const withReleases = (rows: readonly ReadAgentRow[]): AgentRow[] => {
    const releases = modules.findReleases(rows.flatMap(({ digest }) => digest ?? []))
    return rows.map(({ digest, ...row }) => ({
      ...row,
      release: digest === null ? null : (releases.get(digest)?.[0] ?? null),
    }))
  }

  const withAlerts = (rows: readonly ReadAuditRow[]): AuditRow[] =>
    rows.map((row) => ({ ...row, mismatch: row.verified ? null : mismatchOf(row.id) }))

  const mismatchOf = (id: number): AuditRow['mismatch'] => {
    const alert = alerts.findMismatch(id)
    return alert === null
      ? { firstSeenAt: null, alertId: null, seen: false }
      : { firstSeenAt: alert.firstSeenAt, alertId: alert.id, seen: alert.seen }
  }

  const agentParams = (
    { revoked, ...query }: AgentFilter,
    offset: number,
    limit: number,
  ): ParamsOf<'deskAgents'> => ({
    ...query,
    digests: revoked ? watch.revokedDigests() : null,
    offset,
    limit,
  })

  return {
    async getOverview(signal: AbortSignal) {
      const { stamp, value } = await reads.read('deskOverview', null, signal)
      const open = alerts.list()
      return { stamp, alerts: open.slice(0, alertsShown), alertsTotal: open.length, ...value }
    },

    async listAgents(query: AgentFilter & { offset: number }, signal?: AbortSignal, limit = agentPageSize) {
      database.assertAvailable()
      const { offset, ...filter } = query
      const { stamp, value } = await reads.read('deskAgents', agentParams(filter, offset, limit), signal)
      return { stamp, ...value, items: withReleases(value.items) }
    },

    async getAgent(name: string, signal: AbortSignal) {
      const { stamp, value } = await reads.read('deskAgent', { name }, signal)
      const { agent, namedIn } = value
      if (agent === null) return { stamp, agent, namedIn }
      const { module, timeline, ...rest } = agent
      const [row] = withReleases([agent])
      const { digest: _digest, ...shown } = rest
      return {
        stamp,
        namedIn,
        agent: {
          ...shown,
          release: row?.release ?? null,
          module:
            module === null
              ? null
              : toModule(module, modules.findReleases(module.digest === null ? [] : [module.digest])),
          alerts: alerts.list().filter((alert) => alert.agent === name),
          timeline: withAlerts(timeline),
        },
      }
    },

    async listSupervisors(signal?: AbortSignal) {
      const { stamp, value } = await reads.read(
        'deskSupervisors',
        { digests: watch.revokedDigests() },
        signal,
      )
      return { stamp, ...value }
    },

    async listAudit(query: AuditFilter & AuditPlace, signal: AbortSignal) {
      const { stamp, value } = await reads.read('deskAudit', query, signal)
      return { stamp, ...value, items: withAlerts(value.items) }
    },

    async listAuditRows(params: ParamsOf<'deskAuditRows'>) {
      const { value } = await reads.read('deskAuditRows', params)
      return { items: withAlerts(value.items), next: value.next }
    },
  }
}

export type AgentViews = ReturnType<typeof createAgentViews>

function toModule(
  module: Omit<AgentModule, 'releases' | 'revoked'>,
  found: ReadonlyMap<string, ModuleRelease[]>,
): AgentModule {
  const releases = module.digest === null ? [] : (found.get(module.digest) ?? [])
  return { ...module, releases, revoked: releases.some(({ status }) => status === 'revoked') }
}
