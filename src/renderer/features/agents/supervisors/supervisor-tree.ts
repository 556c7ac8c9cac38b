import type { Supervisor, SupervisorChild } from '../../../../shared/contracts/desk-agents.ts'
import { formatCount, plural } from '../../../lib/format.ts'

export interface TreeFilter {
  q: string
  trouble: boolean
}

/** A supervisor, or one of its agents. */
export interface TreeRow {
  key: string
  supervisor: Supervisor
  child: SupervisorChild | null
}

/** What is on the screen of it: whether a supervisor is open, and an agent the last of its supervisor. */
export interface VisibleRow extends TreeRow {
  open: boolean
  last: boolean
}

/** More children than this are shown only when asked for, or while something is wrong. */
const manyChildren = 12

export function filterTree(supervisors: readonly Supervisor[], { q, trouble }: TreeFilter): Supervisor[] {
  const wanted = q.trim().toLowerCase()
  const has = (text: string): boolean => text.toLowerCase().includes(wanted)
  return supervisors.filter(
    (one) =>
      (!trouble || one.trouble) &&
      (wanted === '' || has(one.name) || one.children.some(({ agent }) => has(agent))),
  )
}

/** Every supervisor, followed by its agents. */
export function treeRows(supervisors: readonly Supervisor[]): TreeRow[] {
  return supervisors.flatMap((supervisor) => [
    { key: `s ${supervisor.id}`, supervisor, child: null },
    ...supervisor.children.map((child) => ({ key: `c ${supervisor.id} ${child.agent}`, supervisor, child })),
  ])
}

/** The rows without the agents of closed supervisors; `toggled` are those that a person has opened or closed. */
export function visibleRows(
  rows: readonly TreeRow[],
  toggled: ReadonlySet<string>,
  searched: boolean,
): VisibleRow[] {
  let open = false
  return rows.flatMap((row, index): VisibleRow[] => {
    const { supervisor, child } = row
    const last = rows[index + 1]?.child == null
    if (child === null) {
      const byItself = searched || supervisor.trouble || supervisor.children.length <= manyChildren
      open = !last && byItself !== toggled.has(supervisor.id)
    } else if (!open) return []
    return [{ ...row, open, last }]
  })
}

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
export function limitLabel({ maxRestarts, windowSeconds }: Supervisor): string {
  const most = maxRestarts === null ? 'an unknown number of restarts' : plural(maxRestarts, 'restart')
  return `${most} ${windowLabel(windowSeconds)}`
}

export function limitSentence(supervisor: Supervisor): string {
  return supervisor.maxRestarts === null && supervisor.windowSeconds === null
    ? 'Its limits are unknown.'
    : `${limitLabel(supervisor)}, then it gives up and leaves its agents as they are.`
}

/** `1 of 5 within 120 s` */
export function restartLabel({ restarts, maxRestarts, windowSeconds }: Supervisor): string {
  const [done, most] = [restarts?.inWindow ?? null, maxRestarts].map((count) =>
    count === null ? 'unknown' : formatCount(count),
  )
  return `${done} of ${most} ${windowLabel(windowSeconds)}`
}

const windowLabel = (seconds: number | null): string =>
  seconds === null ? 'within an unknown time' : `within ${formatCount(seconds)} s`

/** Whether it starts nobody again: the limit was reached, and an agent of it is down. */
export function hasGivenUp({ restarts, counts }: Supervisor): boolean {
  return restarts?.limitReached === true && counts.crashed > 0
}

/** Of a supervisor that is closed: `14 agents, all running`, `3 agents, 1 crashed`. */
export function childrenSummary({ children, counts, missing }: Supervisor): string {
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
