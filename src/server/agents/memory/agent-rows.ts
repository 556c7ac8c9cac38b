import type { AgentRow } from '../../../shared/contracts/desk-agents.ts'
import { lastRowsOf, spendByAgent, supervisorsOf } from './agent-index.ts'
import type { AgentsMemory } from './agents-memory.ts'
import type { KnownAgent } from './small-tables.ts'
import { SpendSum, unknownSpend } from './spend.ts'
import { iso } from './times.ts'

/** An agent without the release that the services find by the digest of its module. */
export type ReadAgentRow = Omit<AgentRow, 'release'> & { digest: string | null }

/** Milliseconds since 1970 of the last sign of an agent; NaN where there is none. */
export function activityOf(memory: AgentsMemory, agent: KnownAgent): number {
  const code = memory.audit.agents.find(agent.name)
  const at = code === null ? Number.NaN : (lastRowsOf(memory).at[code] ?? Number.NaN)
  return Number.isNaN(at) ? agent.updated : at
}

export function toAgentRow(memory: AgentsMemory, agent: KnownAgent, now: number): ReadAgentRow {
  const activity = activityOf(memory, agent)
  const { name, state, status, source, createdAt } = agent
  const { today, month } = spentBy(memory, name, now)
  return {
    name,
    state,
    status,
    supervisor: supervisorsOf(memory).get(name)?.[0]?.name ?? null,
    source,
    digest: source === null || source === '' ? null : memory.modules.find(source).digest,
    lastActivityAt: Number.isNaN(activity) ? null : iso(activity),
    spentToday: today,
    spentMonth: month,
    createdAt,
  }
}

const nothing = new SpendSum()

/** Null while rows are counted the first time. */
export function spentBy(
  memory: AgentsMemory,
  name: string,
  now: number,
): { today: AgentRow['spentToday']; month: AgentRow['spentMonth'] } {
  const { costs } = memory
  if (!costs.tape.isComplete) return { today: null, month: null }
  if (!costs.tape.isThere) return { today: unknownSpend, month: unknownSpend }
  const code = costs.agents.find(name)
  const sums = code === null ? undefined : spendByAgent(memory, now).get(code)
  return { today: (sums?.today ?? nothing).toSpend(), month: (sums?.month ?? nothing).toSpend() }
}
