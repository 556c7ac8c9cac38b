import type { AgentBudget } from '../../../shared/contracts/desk-agents-cost.ts'
import type { AgentsMemory } from './agents-memory.ts'
import { agentIndexOf, goesOnSpending } from './agent-index.ts'
import type { KnownBudget } from './small-tables.ts'
import { eachCost, roundCents } from './spend.ts'
import { dayMs, iso, startOfDay } from './times.ts'

const paceDays = 14

/** Budgets with what is expected of them, nearest to their limit first; those of which that is unknown come last. */
export function budgetsOf(memory: AgentsMemory, now: number): readonly AgentBudget[] {
  const { budgets, agents, costs } = memory
  const minute = Math.floor(now / 60_000)
  return memory.remember('budgets', [budgets.version, agents.version, costs.tape.version, minute], () => {
    const daily = dailyCentsOf(memory, now)
    return budgets.rows
      .map((budget) => describe(memory, budget, daily, now))
      .toSorted(
        (one, other) =>
          (other.usedPercent ?? -1) - (one.usedPercent ?? -1) || one.agent.localeCompare(other.agent),
      )
  })
}

function describe(
  memory: AgentsMemory,
  budget: KnownBudget,
  daily: (agent: string) => number | null,
  now: number,
): AgentBudget {
  const { agent, budgetCents, spentCents, alertAt } = budget
  const state = agentIndexOf(memory).get(agent)?.state ?? null
  const span = periodOf(budget, now)
  const usedPercent =
    spentCents === null || budgetCents === null || budgetCents <= 0
      ? null
      : roundCents((spentCents / budgetCents) * 100)
  const pace = goesOnSpending(memory, agent) ? daily(agent) : null
  return {
    agent,
    state,
    budgetCents,
    spentCents,
    usedPercent,
    period: budget.period,
    action: budget.action,
    alertAt,
    lastReset: budget.lastReset === null ? null : iso(budget.lastReset),
    startsAt: span === null ? null : iso(span.from),
    endsAt: span === null ? null : iso(span.to),
    expectedCents:
      span === null || spentCents === null || pace === null
        ? null
        : roundCents(spentCents + (pace * Math.max(0, span.to - now)) / dayMs),
    mark: markOf(usedPercent, alertAt),
  }
}

function markOf(usedPercent: number | null, alertAt: number | null): AgentBudget['mark'] {
  if (usedPercent === null) return 'unknown'
  if (usedPercent >= 100) return 'over'
  return alertAt !== null && usedPercent >= alertAt ? 'passed' : 'below'
}

/** From the last reset where that is in this period, else by the calendar; null for a period that is not known. */
function periodOf({ period, lastReset }: KnownBudget, now: number): { from: number; to: number } | null {
  const unit = period.trim().toLowerCase()
  const reset = lastReset !== null && lastReset <= now ? lastReset : null
  const from = reset !== null && (endOf(unit, reset) ?? 0) > now ? reset : calendarStart(unit, now)
  const to = from === null ? null : endOf(unit, from)
  return from === null || to === null ? null : { from, to }
}

function calendarStart(unit: string, now: number): number | null {
  const date = new Date(now)
  if (unit === 'day') return startOfDay(now)
  // Weeks begin on Monday.
  if (unit === 'week') return startOfDay(now) - ((date.getUTCDay() + 6) % 7) * dayMs
  return unit === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) : null
}

function endOf(unit: string, from: number): number | null {
  if (unit === 'day') return from + dayMs
  if (unit === 'week') return from + 7 * dayMs
  if (unit !== 'month') return null
  const date = new Date(from)
  const month = date.getUTCMonth()
  date.setUTCMonth(month + 1)
  // A month after 31 January ends with February.
  if (date.getUTCMonth() !== (month + 1) % 12) date.setUTCDate(0)
  return date.getTime()
}

/** Cents an agent spends in a day, from whole days before today; null where fewer than two are known. */
function dailyCentsOf(memory: AgentsMemory, now: number): (agent: string) => number | null {
  const { costs } = memory
  if (!costs.tape.isComplete) return () => null
  const today = startOfDay(now)
  const first = new Float64Array(costs.agents.size).fill(Infinity)
  eachCost(costs, { from: -Infinity, to: today, agent: null }, ({ agent, at }, index) => {
    const code = agent[index] ?? 0
    first[code] = Math.min(first[code] ?? Infinity, at[index] ?? Infinity)
  })
  // The day of the very first call is not a whole one.
  const start = first.map((at) => Math.max(startOfDay(at) + dayMs, today - paceDays * dayMs))
  const cents = new Float64Array(costs.agents.size)
  eachCost(costs, { from: today - paceDays * dayMs, to: today, agent: null }, (cells, index) => {
    const code = cells.agent[index] ?? 0
    const amount = cells.cents[index] ?? Number.NaN
    if ((cells.at[index] ?? 0) >= (start[code] ?? Infinity) && !Number.isNaN(amount)) {
      cents[code] = (cents[code] ?? 0) + amount
    }
  })
  return (agent) => {
    const code = costs.agents.find(agent)
    if (code === null) return null
    const days = Math.round((today - (start[code] ?? today)) / dayMs)
    return days >= 2 ? (cents[code] ?? 0) / days : null
  }
}
