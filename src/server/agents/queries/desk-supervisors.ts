import type { AgentAnswer, Supervisor, SupervisorChild } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { eventsOf, lastWordsOf } from './audit-rows.ts'
import { countStates, supervised } from './desk-agents.ts'
import { deskQuery, viewQuery } from './desk-query.ts'
import { iso, isoOf, minuteMs } from './times.ts'

type StoredSupervisor = Omit<Supervisor, 'restarts' | 'trouble' | 'counts' | 'missing' | 'children'>

const supervisors = `SELECT id, name, status, strategy, maxRestarts, windowSeconds, createdAt, state
  FROM supervisors ORDER BY name, key`

interface StoredChild extends Omit<SupervisorChild, 'lastEvent' | 'note'> {
  supervisor: string
  digest: string | null
  isOverBudget: 0 | 1
  eventId: number | null
  event: string | null
  eventAt: string | null
}

const allChildren = `SELECT c.supervisor, c.agent, c.position, a.state, a.status,
    module_digest(a.source) AS digest, e.key AS eventId, e.event, iso(e.at) AS eventAt,
    EXISTS (SELECT 1 FROM used_budgets WHERE agent = c.agent AND mark = 'over' AND state = 'paused') AS isOverBudget
  FROM children c
  LEFT JOIN agents a ON a.key = (SELECT max(key) FROM agents WHERE name = c.agent)
  LEFT JOIN last_events last ON last.agent = c.agent LEFT JOIN audit e ON e.key = last.key
  ORDER BY c.position IS NULL, c.position, c.agent`

/** Crashed agents whose last message is read; for any others only the state is shown. */
const maxLastWords = 500

/** `digests`: digests of revoked modules. */
export const listDeskSupervisors = deskQuery<
  { digests: readonly string[] },
  AgentAnswer<'listDeskSupervisors'>
>({
  needs: ['supervisors', 'children', 'agents', 'budgets', 'audit'],
  compute(context, { digests }) {
    const { mirror, now } = context
    const stored = mirror.all<StoredChild>(allChildren)
    const children = Map.groupBy(stored, ({ supervisor }) => supervisor)
    const crashed = stored.filter(({ state }) => state === 'crashed').map(({ agent }) => agent)
    const lastWords = lastWordsOf(context, crashed.slice(0, maxLastWords))
    const revoked = new Set(digests)
    const isRecorded = hasRestarts(mirror)

    /** Why a child is not running as it should. */
    const noteOf = ({ agent, state, digest, isOverBudget }: StoredChild): SupervisorChild['note'] => {
      if (state === 'crashed') return { kind: 'crashed', detail: lastWords.get(agent)?.detail ?? null }
      if (isOverBudget === 1) return { kind: 'over budget', detail: null }
      return revoked.has(digest ?? '') ? { kind: 'revoked module', detail: null } : null
    }

    const describe = (supervisor: StoredSupervisor): Supervisor => {
      const own = children.get(supervisor.id) ?? []
      const agents = own.map(({ agent }) => agent)
      const counts = countStates(own)
      const missing = own.filter((child) => child.state === null).length
      const count = isRecorded ? countRestarts(mirror, agents, supervisor, counts.crashed > 0, now) : null
      return {
        ...supervisor,
        restarts: count === null ? null : { ...count, lastAt: isoOf(count.lastAt) },
        trouble:
          counts.crashed > 0 || missing > 0 || count?.limitReached === true || supervisor.state !== 'running',
        counts,
        missing,
        children: own.map((child) => {
          const { agent, position, status, eventId, event, eventAt } = child
          const lastEvent = eventId === null ? null : { id: eventId, event, at: eventAt }
          return { agent, position, state: child.state, status, lastEvent, note: noteOf(child) }
        }),
      }
    }

    return {
      items: mirror.all<StoredSupervisor>(supervisors).map(describe),
      unsupervised: mirror.tables.agents.exists
        ? mirror.value<number>(`SELECT count(*) FROM agents a WHERE NOT EXISTS (SELECT 1 ${supervised})`)
        : null,
    }
  },
})

/** Whether the audit contains any restart. */
export const hasRestarts = (mirror: Mirror): boolean =>
  mirror.value("SELECT 1 FROM audit WHERE kind = 'restart' LIMIT 1") !== null

type RestartCount = Omit<NonNullable<Supervisor['restarts']>, 'lastAt'> & { lastAt: number | null }
type Supervision = Pick<Supervisor, 'maxRestarts' | 'windowSeconds'>

/** Restarts of these agents with a known time. */
const restartRows = `audit WHERE kind = 'restart' AND agent IN (SELECT value FROM json_each(?)) AND at IS NOT NULL`

/**
 * Restarts of these agents in the window ending now. If one of them has crashed, the window ending with the newest
 * restart counts if the limit was reached in it: a supervisor that gave up four minutes ago has not recovered since.
 */
export function countRestarts(
  mirror: Mirror,
  agents: readonly string[],
  { maxRestarts, windowSeconds }: Supervision,
  hasCrashed: boolean,
  now: number,
): RestartCount {
  const names = JSON.stringify(agents)
  const lastAt = mirror.value<number>(`SELECT max(at) FROM ${restartRows}`, names)
  if (lastAt === null || windowSeconds === null) return { inWindow: 0, limitReached: false, lastAt }
  const within = (end: number): number =>
    mirror.value<number>(
      `SELECT count(*) FROM ${restartRows} AND at > ? AND at <= ?`,
      names,
      end - windowSeconds * 1000,
      end,
    ) ?? 0
  const isOver = (count: number): boolean => maxRestarts !== null && count >= maxRestarts && count > 0
  const atLast = within(lastAt)
  if (hasCrashed && isOver(atLast)) return { inWindow: atLast, limitReached: true, lastAt }
  const inWindow = within(now)
  return { inWindow, limitReached: isOver(inWindow), lastAt }
}

const minutesShown = 30
const exitsShown = 20

export const getSupervisorRestarts = viewQuery<'getSupervisorRestarts'>({
  needs: ['supervisors', 'children', 'audit'],
  compute(context, { id }) {
    const { mirror, now } = context
    const names = JSON.stringify(
      mirror.list<string>('SELECT DISTINCT agent FROM children WHERE supervisor = ?', id),
    )
    const first = (Math.floor(now / minuteMs) - minutesShown + 1) * minuteMs
    const counts = new Map(
      mirror
        .all<{ minute: number; restarts: number }>(
          `SELECT CAST((at - ?) / ${minuteMs} AS INTEGER) AS minute, count(*) AS restarts FROM ${restartRows} AND at >= ?
           GROUP BY 1`,
          first,
          names,
          first,
        )
        .map(({ minute, restarts }) => [minute, restarts]),
    )
    const exits = `audit WHERE kind = 'exit' AND agent IN (SELECT value FROM json_each(?))`
    const keys = mirror.list<number>(`SELECT key FROM ${exits} ORDER BY key DESC LIMIT ${exitsShown}`, names)
    return {
      minutes: hasRestarts(mirror)
        ? Array.from({ length: minutesShown }, (_, minute) => ({
            from: iso(first + minute * minuteMs),
            restarts: counts.get(minute) ?? 0,
          }))
        : null,
      exits: eventsOf(context, keys),
      exitsTotal: mirror.tables.audit.isComplete
        ? mirror.value<number>(`SELECT count(*) FROM ${exits}`, names)
        : null,
    }
  },
})
