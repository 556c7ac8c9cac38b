import { textOf, timeOf } from '../cell-values.ts'
import { auditFlags } from '../memory/audit-tape.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import type { AgentsDatabase } from '../agents-database.ts'
import { deskQuery } from '../memory/desk-query.ts'
import { newestRows } from '../memory/newest-rows.ts'
import { restartsOf, restartsOfAgents } from '../memory/restarts.ts'
import { rowsOf } from '../memory/rows-of.ts'
import { iso } from '../memory/times.ts'

export interface AuditEvent {
  id: number
  at: string | null
  agent: string | null
  event: string | null
  detail: string | null
}

export interface RestartsValue {
  minutes: { from: string; restarts: number }[] | null
  exits: AuditEvent[]
  exitsTotal: number | null
}

const minuteMs = 60_000
const minutesShown = 30
const exitsShown = 20

export const deskRestarts = deskQuery<{ id: string }, RestartsValue>({
  needs: ['supervisors', 'children', 'audit'],
  compute({ memory, database, now }, { id }) {
    const names = memory.children.rows.filter(({ supervisor }) => supervisor === id).map(({ agent }) => agent)
    const codes = new Set(names.flatMap((name) => memory.audit.agents.find(name) ?? []))
    const exits = newestRows(
      memory,
      (agent, flags) => (flags & auditFlags.exit) !== 0 && codes.has(agent),
      exitsShown,
    )
    const first = (Math.floor(now / minuteMs) - minutesShown + 1) * minuteMs
    const times = restartsOfAgents(memory, names)
    const minutes = Array.from({ length: minutesShown }, (_, index) => {
      const from = first + index * minuteMs
      return { from: iso(from), restarts: times.filter((at) => at >= from && at < from + minuteMs).length }
    })
    return {
      minutes: restartsOf(memory).isTold ? minutes : null,
      exits: eventsOf(memory, database, exits.keys),
      exitsTotal: memory.audit.tape.isComplete ? exits.total : null,
    }
  },
  empty: () => ({ minutes: null, exits: [], exitsTotal: 0 }),
})

/** Audit rows by their ids, newest first, without a check of their hashes. */
export function eventsOf(
  memory: AgentsMemory,
  database: AgentsDatabase,
  keys: readonly number[],
): AuditEvent[] {
  const columns = ['timestamp', 'agent_name', 'event_type', 'detail']
  return rowsOf(memory, database, 'audit', keys, columns).map((row) => ({
    id: Number(row['key']),
    at: timeOf(row['timestamp']),
    agent: textOf(row['agent_name']),
    event: textOf(row['event_type']),
    detail: textOf(row['detail']),
  }))
}
