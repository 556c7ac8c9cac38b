import { auditFlags } from './audit-tape.ts'
import type { AgentsMemory } from './agents-memory.ts'

export interface RestartTimes {
  /** Whether the audit tells of any restart at all. */
  isTold: boolean
  /** Moments of the newest restarts of each agent, newest first, by the agent's code in the audit. */
  byAgent: ReadonlyMap<number, number[]>
}

/** More restarts than any supervisor allows, and still few. */
const keptPerAgent = 1000

export function restartsOf(memory: AgentsMemory): RestartTimes {
  const { tape } = memory.audit
  return memory.remember('restarts', [tape.version], () => {
    const byAgent = new Map<number, number[]>()
    let isTold = false
    for (const { keys, cells } of tape.blocks.toReversed()) {
      for (let index = keys.length - 1; index >= 0; index -= 1) {
        if (((cells.flags[index] ?? 0) & auditFlags.restart) === 0) continue
        isTold = true
        const at = cells.at[index] ?? Number.NaN
        if (Number.isNaN(at)) continue
        const agent = cells.agent[index] ?? 0
        const own = byAgent.get(agent)
        if (own === undefined) byAgent.set(agent, [at])
        else if (own.length < keptPerAgent) own.push(at)
      }
    }
    return { isTold, byAgent }
  })
}

/** Moments of the restarts of these agents, newest first. */
export function restartsOfAgents(memory: AgentsMemory, names: readonly string[]): number[] {
  const { byAgent } = restartsOf(memory)
  return names
    .flatMap((name) => byAgent.get(memory.audit.agents.find(name) ?? -1) ?? [])
    .toSorted((one, other) => other - one)
}

export interface RestartCount {
  inWindow: number
  limitReached: boolean
  lastAt: number | null
}

/**
 * Restarts in the window that ends now; or, where a child has been crashed since, in the one that ends with the newest
 * restart: a supervisor that gave up four minutes ago has not become better since.
 */
export function countRestarts(
  times: readonly number[],
  parts: { maxRestarts: number | null; windowSeconds: number | null; hasCrashed: boolean; now: number },
): RestartCount {
  const lastAt = times[0] ?? null
  if (lastAt === null || parts.windowSeconds === null) return { inWindow: 0, limitReached: false, lastAt }
  const windowMs = parts.windowSeconds * 1000
  const within = (end: number): number => times.filter((at) => at > end - windowMs && at <= end).length
  const isOver = (count: number): boolean =>
    parts.maxRestarts !== null && count >= parts.maxRestarts && count > 0
  const atLast = within(lastAt)
  if (parts.hasCrashed && isOver(atLast)) return { inWindow: atLast, limitReached: true, lastAt }
  const inWindow = within(parts.now)
  return { inWindow, limitReached: isOver(inWindow), lastAt }
}
