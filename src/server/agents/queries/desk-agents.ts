import { agentStates } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentState, StateCounts } from '../../../shared/contracts/desk-agents-common.ts'
import type { agentSorts } from '../../../shared/contracts/desk-agents.ts'
import { supervisorsOf } from '../memory/agent-index.ts'
import { activityOf, spentBy, toAgentRow } from '../memory/agent-rows.ts'
import type { ReadAgentRow } from '../memory/agent-rows.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { deskQuery } from '../memory/desk-query.ts'
import type { KnownAgent } from '../memory/small-tables.ts'
import { sortRows } from '../memory/sort-rows.ts'
import type { SortKey } from '../memory/sort-rows.ts'

export interface AgentsParams {
  q?: string | undefined
  state?: AgentState | undefined
  supervisor?: string | undefined
  unsupervised: boolean
  /** Digests of modules that have been revoked, where only agents are wanted that run one. */
  digests: readonly string[] | null
  sort: (typeof agentSorts)[number]
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

export interface AgentsValue {
  items: ReadAgentRow[]
  total: number
  counts: StateCounts
  supervisors: string[]
}

export const noStates = (): StateCounts => ({ crashed: 0, paused: 0, stopped: 0, running: 0, unknown: 0 })

export function countStates(agents: Iterable<{ state: AgentState }>): StateCounts {
  const counts = noStates()
  for (const { state } of agents) counts[state] += 1
  return counts
}

export const deskAgents = deskQuery<AgentsParams, AgentsValue>({
  needs: ['agents', 'supervisors', 'children', 'costs', 'audit'],
  compute({ memory, now }, params) {
    const rest = memory.agents.rows.filter(filterOf(memory, params))
    const found = params.state === undefined ? rest : rest.filter(({ state }) => state === params.state)
    const sorted = sortRows(found, sortKeyOf(memory, params.sort, now), params.order, ({ name }) => name)
    return {
      items: sorted
        .slice(params.offset, params.offset + params.limit)
        .map((agent) => toAgentRow(memory, agent, now)),
      total: found.length,
      counts: countStates(rest),
      supervisors: [...new Set(memory.supervisors.rows.map(({ name }) => name))].toSorted(),
    }
  },
  empty: () => ({ items: [], total: 0, counts: noStates(), supervisors: [] }),
})

function filterOf(
  memory: AgentsMemory,
  { q, supervisor, unsupervised, digests }: AgentsParams,
): (agent: KnownAgent) => boolean {
  const text = q?.toLowerCase() ?? ''
  const wanted = digests === null ? null : new Set(digests)
  const supervisors = supervisorsOf(memory)
  return (agent) => {
    const own = supervisors.get(agent.name)
    if (unsupervised && own !== undefined) return false
    if (supervisor !== undefined && own?.some(({ name }) => name === supervisor) !== true) return false
    if (wanted !== null && !wanted.has(digestOf(memory, agent) ?? '')) return false
    return (
      text === '' ||
      [agent.name, agent.source, agent.template].some((part) => part?.toLowerCase().includes(text))
    )
  }
}

function digestOf(memory: AgentsMemory, { source }: KnownAgent): string | null {
  return source === null || source === '' ? null : memory.modules.find(source).digest
}

function sortKeyOf(
  memory: AgentsMemory,
  sort: AgentsParams['sort'],
  now: number,
): (agent: KnownAgent) => SortKey {
  switch (sort) {
    case 'name':
      return ({ name }) => name
    case 'state':
      return ({ state }) => agentStates.indexOf(state)
    case 'supervisor':
      return ({ name }) => supervisorsOf(memory).get(name)?.[0]?.name ?? null
    case 'activity':
      return (agent) => activityOf(memory, agent)
    case 'today':
      return ({ name }) => spentBy(memory, name, now).today?.cents ?? null
    case 'month':
      return ({ name }) => spentBy(memory, name, now).month?.cents ?? null
    case 'created':
      return ({ createdAt }) => createdAt
    default:
      return sort satisfies never
  }
}
