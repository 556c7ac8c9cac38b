import type { AgentPage } from '../../../shared/contracts/desk-agents.ts'
import { agentIndexOf, goesOnSpending, supervisorsOf } from '../memory/agent-index.ts'
import { toAgentRow } from '../memory/agent-rows.ts'
import type { ReadAgentRow } from '../memory/agent-rows.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { auditRowsOf } from '../memory/audit-rows.ts'
import type { ReadAuditRow } from '../memory/audit-rows.ts'
import { budgetsOf } from '../memory/budgets.ts'
import { deskQuery } from '../memory/desk-query.ts'
import type { QueryContext } from '../memory/desk-query.ts'
import type { ModuleFile } from '../memory/module-files.ts'
import { newestRows } from '../memory/newest-rows.ts'
import type { KnownAgent } from '../memory/small-tables.ts'
import { chartOf, groupsOf } from '../memory/spend-chart.ts'
import { expectedOf, paceOf, spendOf } from '../memory/spend.ts'
import { dayMs, spanOf, startOfDay } from '../memory/times.ts'
import { toDeployment } from './desk-edge.ts'
import { toTrust } from './desk-trust.ts'

type OneAgent = NonNullable<AgentPage['agent']>
/** Without what the services know: releases and alerts. */
export type ReadAgent = Omit<OneAgent, keyof ReadAgentRow | 'release' | 'module' | 'alerts' | 'timeline'> &
  ReadAgentRow & {
    module: (ModuleFile & { source: string }) | null
    timeline: ReadAuditRow[]
  }

export interface AgentValue {
  agent: ReadAgent | null
  namedIn: string[]
}

const timelineRows = 50

export const deskAgent = deskQuery<{ name: string }, AgentValue>({
  needs: ['agents', 'supervisors', 'children', 'costs', 'budgets', 'trust', 'deployments', 'audit'],
  compute(context, { name }) {
    const known = agentIndexOf(context.memory).get(name)
    if (known === undefined) return { agent: null, namedIn: namedIn(context.memory, name) }
    return { agent: describe(context, known), namedIn: [] }
  },
  empty: () => ({ agent: null, namedIn: [] }),
})

function describe({ memory, database, now }: QueryContext, known: KnownAgent): ReadAgent {
  const { name, source } = known
  const code = memory.audit.agents.find(name)
  const { keys, total } =
    code === null ? { keys: [], total: 0 } : newestRows(memory, (agent) => agent === code, timelineRows)
  const trust = memory.trust.rows.find(({ agent }) => agent === name)
  return {
    ...toAgentRow(memory, known, now),
    template: known.template,
    pid: known.pid,
    updatedAt: known.updatedAt,
    module: source === null || source === '' ? null : { source, ...moduleOf(memory.modules.find(source)) },
    supervisors: supervisorsOf(memory).get(name) ?? [],
    budget: budgetsOf(memory, now).find(({ agent }) => agent === name) ?? null,
    trust: trust === undefined ? null : toTrust(memory, trust),
    deployments: memory.deployments.rows
      .filter(({ agent }) => agent === name)
      .map((one) => toDeployment(memory, one)),
    ...spendParts(memory, name, now),
    timeline: auditRowsOf(memory, database, keys),
    timelineTotal: memory.audit.tape.isComplete ? total : null,
  }
}

const moduleOf = ({ digest, bytes, problem }: ModuleFile): ModuleFile => ({ digest, bytes, problem })

function spendParts(
  memory: AgentsMemory,
  name: string,
  now: number,
): Pick<OneAgent, 'chart' | 'expectedToday'> {
  const { costs } = memory
  if (!costs.tape.isComplete || !costs.tape.isThere) return { chart: null, expectedToday: null }
  const agent = costs.agents.find(name) ?? -1
  const filter = { ...spanOf({ period: '30 days' }, now), agent }
  const pace = goesOnSpending(memory, name) ? paceOf(costs, agent, now) : null
  const midnight = startOfDay(now) + dayMs
  const today = spendOf(costs, { from: startOfDay(now), to: midnight, agent })
  return {
    expectedToday: expectedOf(pace, today, now, midnight),
    chart: chartOf({ costs, filter, by: 'model', groups: groupsOf(costs, filter, 'model'), pace, now }),
  }
}

/** Tables that name an agent which is none (any more). */
function namedIn(memory: AgentsMemory, name: string): string[] {
  const { children, budgets, trust, deployments, audit, costs } = memory
  const small = [children, budgets, trust, deployments].filter(({ rows }) =>
    rows.some(({ agent }) => agent === name),
  )
  const tapes = [audit, costs].filter(({ agents }) => agents.find(name) !== null)
  return [...small.map(({ table }) => table), ...tapes.map(({ tape }) => tape.table)]
}
