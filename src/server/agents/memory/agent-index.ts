import type { AgentState } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentsMemory } from './agents-memory.ts'
import type { KnownAgent } from './small-tables.ts'
import { eachCost } from './spend.ts'
import { SpendSum } from './spend.ts'
import { dayMs, startOfDay } from './times.ts'

/** Agents by name. */
export function agentIndexOf(memory: AgentsMemory): ReadonlyMap<string, KnownAgent> {
  return memory.remember(
    'agents',
    [memory.agents.version],
    () => new Map(memory.agents.rows.map((agent) => [agent.name, agent])),
  )
}

/** Also of those of whom no state is known: they may run. */
const spending: readonly (AgentState | undefined)[] = ['running', 'unknown', undefined]

/** Whether an agent goes on spending: of one that is paused, stopped or crashed nothing more is expected. */
export const goesOnSpending = (memory: AgentsMemory, name: string): boolean =>
  spending.includes(agentIndexOf(memory).get(name)?.state)

/** Names of the supervisors of each agent, by name. */
export function supervisorsOf(
  memory: AgentsMemory,
): ReadonlyMap<string, { name: string; position: number | null }[]> {
  const { supervisors, children } = memory
  return memory.remember('supervisors of', [supervisors.version, children.version], () => {
    const names = new Map(supervisors.rows.map(({ id, name }) => [id, name]))
    const found = new Map<string, { name: string; position: number | null }[]>()
    for (const { supervisor, agent, position } of children.rows) {
      const name = names.get(supervisor)
      if (name === undefined) continue
      const own = found.get(agent)
      if (own === undefined) found.set(agent, [{ name, position }])
      else own.push({ name, position })
    }
    for (const list of found.values()) list.sort((one, other) => one.name.localeCompare(other.name))
    return found
  })
}

/** The newest audit row of each agent, by the agent's code. */
export interface LastRows {
  key: Float64Array
  at: Float64Array
  event: Uint32Array
}

export function lastRowsOf(memory: AgentsMemory): LastRows {
  const { tape, agents } = memory.audit
  return memory.remember('last rows', [tape.version], () => {
    const last: LastRows = {
      key: new Float64Array(agents.size).fill(Number.NaN),
      at: new Float64Array(agents.size).fill(Number.NaN),
      event: new Uint32Array(agents.size),
    }
    for (const { keys, cells } of tape.blocks) {
      for (let index = 0; index < keys.length; index += 1) {
        const agent = cells.agent[index] ?? 0
        last.key[agent] = keys[index] ?? Number.NaN
        last.at[agent] = cells.at[index] ?? Number.NaN
        last.event[agent] = cells.event[index] ?? 0
      }
    }
    return last
  })
}

export interface AgentSpend {
  today: SpendSum
  month: SpendSum
}

/** What each agent has spent today and this month, by the agent's code in the costs. */
export function spendByAgent(memory: AgentsMemory, now: number): ReadonlyMap<number, AgentSpend> {
  const { costs } = memory
  const today = startOfDay(now)
  const date = new Date(now)
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return memory.remember('spend by agent', [costs.tape.version, today], () => {
    const sums = new Map<number, AgentSpend>()
    eachCost(costs, { from: month, to: today + dayMs, agent: null }, (cells, index) => {
      const agent = cells.agent[index] ?? 0
      let sum = sums.get(agent)
      if (sum === undefined) {
        sum = { today: new SpendSum(), month: new SpendSum() }
        sums.set(agent, sum)
      }
      sum.month.add(cells, index)
      if ((cells.at[index] ?? 0) >= today) sum.today.add(cells, index)
    })
    return sums
  })
}
