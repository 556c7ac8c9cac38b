import type { Supervisor, SupervisorChild } from '../../../shared/contracts/desk-agents.ts'
import { agentIndexOf, lastRowsOf, supervisorsOf } from '../memory/agent-index.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { budgetsOf } from '../memory/budgets.ts'
import { deskQuery } from '../memory/desk-query.ts'
import type { QueryContext } from '../memory/desk-query.ts'
import { lastWordsOf } from '../memory/last-words.ts'
import type { LastWords } from '../memory/last-words.ts'
import { countRestarts, restartsOf, restartsOfAgents } from '../memory/restarts.ts'
import { stateOf } from '../memory/small-tables.ts'
import type { KnownChild, KnownSupervisor } from '../memory/small-tables.ts'
import { iso } from '../memory/times.ts'
import { countStates } from './desk-agents.ts'

export interface SupervisorsValue {
  items: Supervisor[]
  unsupervised: number | null
}

/** `digests`: those of modules that have been revoked. */
export interface SupervisorsParams {
  digests: readonly string[]
}

export const deskSupervisors = deskQuery<SupervisorsParams, SupervisorsValue>({
  needs: ['supervisors', 'children', 'agents', 'budgets', 'audit'],
  compute(context, { digests }) {
    const { memory } = context
    const notes = notesOf(context, new Set(digests))
    const children = Map.groupBy(memory.children.rows, ({ supervisor }) => supervisor)
    const supervised = supervisorsOf(memory)
    return {
      items: memory.supervisors.rows
        .map((supervisor) => describe(context, supervisor, children.get(supervisor.id) ?? [], notes))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      unsupervised: memory.agents.isThere
        ? memory.agents.rows.filter(({ name }) => !supervised.has(name)).length
        : null,
    }
  },
  empty: () => ({ items: [], unsupervised: null }),
})

/** What is to be said of children that do not run as they should. */
interface Notes {
  crashed: ReadonlyMap<string, LastWords>
  overBudget: ReadonlySet<string>
  revoked(name: string): boolean
}

/** Crashed agents whose last words are read; of more than these only the state is told. */
const mostWords = 500

function notesOf({ memory, database, now }: QueryContext, digests: ReadonlySet<string>): Notes {
  const index = agentIndexOf(memory)
  const crashed = memory.agents.rows.filter(({ state }) => state === 'crashed').slice(0, mostWords)
  return {
    crashed: lastWordsOf(
      memory,
      database,
      crashed.map(({ name }) => name),
    ),
    overBudget: new Set(
      budgetsOf(memory, now).flatMap(({ agent, mark, state }) =>
        mark === 'over' && state === 'paused' ? [agent] : [],
      ),
    ),
    revoked(name) {
      const source = index.get(name)?.source ?? ''
      return source !== '' && digests.has(memory.modules.find(source).digest ?? '')
    },
  }
}

function describe(
  { memory, now }: QueryContext,
  supervisor: KnownSupervisor,
  own: readonly KnownChild[],
  notes: Notes,
): Supervisor {
  const children = own
    .toSorted(
      (one, other) =>
        (one.position ?? Infinity) - (other.position ?? Infinity) || (one.agent < other.agent ? -1 : 1),
    )
    .map((child) => toChild(memory, child, notes))
  const states = children.flatMap(({ state }) => (state === null ? [] : [{ state }]))
  const counts = countStates(states)
  const state = stateOf(supervisor.status)
  const missing = children.length - states.length
  const { maxRestarts, windowSeconds } = supervisor
  const times = restartsOfAgents(
    memory,
    children.map(({ agent }) => agent),
  )
  const count = countRestarts(times, { maxRestarts, windowSeconds, hasCrashed: counts.crashed > 0, now })
  return {
    ...supervisor,
    state,
    restarts: restartsOf(memory).isTold
      ? { ...count, lastAt: count.lastAt === null ? null : iso(count.lastAt) }
      : null,
    trouble: counts.crashed > 0 || missing > 0 || count.limitReached || state !== 'running',
    counts,
    missing,
    children,
  }
}

function toChild(memory: AgentsMemory, { agent, position }: KnownChild, notes: Notes): SupervisorChild {
  const known = agentIndexOf(memory).get(agent)
  return {
    agent,
    position,
    state: known?.state ?? null,
    status: known?.status ?? null,
    lastEvent: lastEventOf(memory, agent),
    note: noteOf(known?.state ?? null, agent, notes),
  }
}

function noteOf(state: SupervisorChild['state'], agent: string, notes: Notes): SupervisorChild['note'] {
  if (state === 'crashed') return { kind: 'crashed', detail: notes.crashed.get(agent)?.detail ?? null }
  if (notes.overBudget.has(agent)) return { kind: 'over budget', detail: null }
  return notes.revoked(agent) ? { kind: 'revoked module', detail: null } : null
}

function lastEventOf(memory: AgentsMemory, agent: string): SupervisorChild['lastEvent'] {
  const { agents, events } = memory.audit
  const code = agents.find(agent)
  if (code === null) return null
  const last = lastRowsOf(memory)
  const id = last.key[code] ?? Number.NaN
  const at = last.at[code] ?? Number.NaN
  if (Number.isNaN(id)) return null
  return { id, event: events.textOf(last.event[code] ?? 0), at: Number.isNaN(at) ? null : iso(at) }
}
