import type { AgentAlert } from '../../../shared/contracts/desk-agents-common.ts'
import { supervisorsOf } from '../memory/agent-index.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { mismatchesOf } from '../memory/audit-view.ts'
import { budgetsOf } from '../memory/budgets.ts'
import { deskQuery } from '../memory/desk-query.ts'
import type { QueryContext } from '../memory/desk-query.ts'
import { lastWordsOf } from '../memory/last-words.ts'
import { countRestarts, restartsOf, restartsOfAgents } from '../memory/restarts.ts'
import type { KnownAgent } from '../memory/small-tables.ts'
import { iso } from '../memory/times.ts'
import { readFormat } from '../project-files.ts'
import { eventsOf } from './desk-restarts.ts'

type Crash = NonNullable<AgentAlert['crash']>
type Budget = NonNullable<AgentAlert['budget']>
type Mismatch = NonNullable<AgentAlert['mismatch']>

/** What is wrong in the project now. */
export interface AgentFacts {
  /** Whether all rows have been looked at: only then does a mismatch that is not named exist no more. */
  isWhole: boolean
  mismatches: { total: number; newest: (Omit<Mismatch, 'rows'> & { agent: string | null })[] }
  crashes: (Crash & { agent: string; since: string | null })[]
  budgets: (Budget & { agent: string; startsAt: string | null })[]
  /** Agents with the digests of their modules. */
  modules: { agent: string; source: string; digest: string }[]
  counts: { agents: number | null; supervisors: number | null; deployments: number | null }
  /** How the owner writes the database. */
  journal: 'wal' | 'rollback' | null
}

/** From so many on one alert stands for all. */
export const mismatchesOneByOne = 20
/** Crashes of which everything is told; an operator of more has seen enough. */
const mostCrashes = 500

const noFacts = (): AgentFacts => ({
  isWhole: false,
  mismatches: { total: 0, newest: [] },
  crashes: [],
  budgets: [],
  modules: [],
  counts: { agents: null, supervisors: null, deployments: null },
  journal: null,
})

const readFacts = deskQuery<null, AgentFacts>({
  needs: ['agents', 'supervisors', 'children', 'budgets', 'deployments', 'audit'],
  compute(context) {
    const { memory } = context
    return {
      isWhole: memory.audit.tape.isComplete,
      mismatches: mismatchFacts(context),
      crashes: crashFacts(context),
      budgets: budgetFacts(context),
      modules: moduleFacts(memory),
      counts: countsOf(memory),
      journal: journalOf(context.database.file),
    }
  },
  empty: noFacts,
})

/** Asked for in the background, after each change. */
export const deskFacts = { ...readFacts, isBackground: true as const }

function mismatchFacts({ memory, database }: QueryContext): AgentFacts['mismatches'] {
  const { blocks } = memory.audit.tape
  const total = blocks.reduce((sum, { cells }) => sum + cells.mismatches, 0)
  const found = mismatchesOf(blocks, mismatchesOneByOne)
  const around = new Map(found.map(({ key, aroundMatch }) => [key, aroundMatch]))
  const newest = eventsOf(
    memory,
    database,
    found.map(({ key }) => key),
  ).map(({ id, agent, event, at }) => ({
    id,
    agent,
    event,
    at,
    aroundMatch: around.get(id) ?? null,
  }))
  return { total, newest }
}

function crashFacts({ memory, database, now }: QueryContext): AgentFacts['crashes'] {
  const crashed = memory.agents.rows.filter(({ state }) => state === 'crashed').slice(0, mostCrashes)
  const words = lastWordsOf(
    memory,
    database,
    crashed.map(({ name }) => name),
  )
  return crashed.map((agent) => {
    const last = words.get(agent.name)
    const since = agent.updatedAt ?? (last === undefined || Number.isNaN(last.at) ? null : iso(last.at))
    return { agent: agent.name, since, lastWords: last?.detail ?? null, ...supervisionOf(memory, agent, now) }
  })
}

function supervisionOf(memory: AgentsMemory, { name }: KnownAgent, now: number): Omit<Crash, 'lastWords'> {
  const first = supervisorsOf(memory).get(name)?.[0]?.name
  const supervisor = memory.supervisors.rows.find((one) => one.name === first)
  if (supervisor === undefined)
    return { supervisor: null, restarts: null, maxRestarts: null, windowSeconds: null }
  const { maxRestarts, windowSeconds } = supervisor
  const { isTold } = restartsOf(memory)
  const count = countRestarts(restartsOfAgents(memory, [name]), {
    maxRestarts,
    windowSeconds,
    hasCrashed: true,
    now,
  })
  return { supervisor: supervisor.name, restarts: isTold ? count.inWindow : null, maxRestarts, windowSeconds }
}

function budgetFacts({ memory, now }: QueryContext): AgentFacts['budgets'] {
  return budgetsOf(memory, now).flatMap((budget) => {
    const { agent, spentCents, budgetCents, alertAt, period, action, state, startsAt, mark } = budget
    if ((mark !== 'passed' && mark !== 'over') || spentCents === null || budgetCents === null) return []
    return [
      {
        agent,
        spentCents,
        budgetCents,
        alertAt: alertAt ?? 100,
        period,
        action,
        state: state ?? 'unknown',
        startsAt,
      },
    ]
  })
}

function moduleFacts(memory: AgentsMemory): AgentFacts['modules'] {
  return memory.agents.rows.flatMap(({ name, source }) => {
    const digest = source === null || source === '' ? null : memory.modules.find(source).digest
    return source === null || digest === null ? [] : [{ agent: name, source, digest }]
  })
}

function countsOf({ agents, supervisors, deployments }: AgentsMemory): AgentFacts['counts'] {
  return {
    agents: agents.isThere ? agents.rows.length : null,
    supervisors: supervisors.isThere ? supervisors.rows.length : null,
    deployments: deployments.isThere ? deployments.rows.length : null,
  }
}

function journalOf(file: string): AgentFacts['journal'] {
  const format = readFormat(file)
  return format === 'none' ? null : format
}
