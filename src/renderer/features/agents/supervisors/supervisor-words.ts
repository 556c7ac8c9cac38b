import type { Supervisor, SupervisorChild } from '../../../../shared/contracts/desk-agents.ts'
import { formatCount, plural } from '../../../lib/format.ts'

const strategies: Record<string, string> = {
  'one-for-one': 'only the agent that fell is started again.',
  'one-for-all': 'when one agent falls, all of them are started again.',
  'rest-for-one': 'the agent that fell and those started after it are started again.',
}

export function strategySentence(strategy: string | null): string {
  if (strategy === null) return 'Its strategy is unknown.'
  return `${strategy}: ${strategies[strategy] ?? 'what it does is unknown here.'}`
}

/** `3 restarts within 60 s`; what is not known is said. */
export function limitWords({ maxRestarts, windowSeconds }: Supervisor): string {
  const most = maxRestarts === null ? 'an unknown number of restarts' : plural(maxRestarts, 'restart')
  return windowSeconds === null
    ? `${most} within an unknown time`
    : `${most} within ${formatCount(windowSeconds)} s`
}

/** `1 of 5 within 120 s` */
export function restartWords({ restarts, maxRestarts, windowSeconds }: Supervisor): string {
  const done = restarts === null ? 'unknown' : formatCount(restarts.inWindow)
  const most = maxRestarts === null ? 'unknown' : formatCount(maxRestarts)
  const time = windowSeconds === null ? 'an unknown time' : `${formatCount(windowSeconds)} s`
  return `${done} of ${most} within ${time}`
}

/** Whether it starts nobody again: the limit was reached, and an agent of it is down. */
export function hasGivenUp({ restarts, counts }: Supervisor): boolean {
  return restarts?.limitReached === true && counts.crashed > 0
}

/** Of a supervisor that is closed: `14 agents, all running`, `3 agents, 1 crashed`. */
export function childrenWords({ children, counts, missing }: Supervisor): string {
  if (children.length === 0) return 'no agents'
  const others = (['crashed', 'paused', 'stopped', 'unknown'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${state}`)
  const all = [...others, ...(missing === 0 ? [] : [`${formatCount(missing)} not there`])]
  return `${plural(children.length, 'agent')}, ${all.length === 0 ? 'all running' : all.join(', ')}`
}

/** What is to be said of a child; an empty text where it runs as it should. */
export function childNote({ state, note }: SupervisorChild): string {
  if (state === null) return 'named as child, never registered'
  if (note === null) return ''
  if (note.kind === 'over budget') return 'over its budget'
  if (note.kind === 'revoked module') return 'runs a revoked module'
  return note.detail ?? 'crashed without last words'
}

/** The newest event of any of its agents, or a restart; null where none is known. */
export function lastChange({ children, restarts }: Supervisor): string | null {
  const times = [restarts?.lastAt ?? null, ...children.map(({ lastEvent }) => lastEvent?.at ?? null)]
  return (
    times
      .filter((at) => at !== null)
      .toSorted()
      .at(-1) ?? null
  )
}
