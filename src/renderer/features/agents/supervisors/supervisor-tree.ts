import type { Supervisor, SupervisorChild } from '../../../../shared/contracts/desk-agents.ts'
import { texts } from '../agents.texts.ts'

/** A supervisor or one of its agents. */
export interface TreeRow {
  key: string
  supervisor: Supervisor
  child: SupervisorChild | null
}

/** A row on screen: `open` for an expanded supervisor, `last` for the last agent of its supervisor. */
export interface VisibleRow extends TreeRow {
  open: boolean
  last: boolean
}

/** A supervisor with more agents starts collapsed, unless it has problems. */
const manyChildren = 12

/** The supervisors whose name, or that of one of their agents, contains a text; or only those with problems. */
export function filterTree(
  supervisors: readonly Supervisor[],
  { q, trouble }: { q: string; trouble: boolean },
): Supervisor[] {
  const term = q.trim().toLowerCase()
  const matches = (text: string): boolean => text.toLowerCase().includes(term)
  return supervisors.filter(
    (one) =>
      (!trouble || one.trouble) &&
      (term === '' || matches(one.name) || one.children.some(({ agent }) => matches(agent))),
  )
}

/** Every supervisor, followed by its agents. */
export function treeRows(supervisors: readonly Supervisor[]): TreeRow[] {
  return supervisors.flatMap((supervisor) => [
    { key: `s ${supervisor.id}`, supervisor, child: null },
    ...supervisor.children.map((child) => ({ key: `c ${supervisor.id} ${child.agent}`, supervisor, child })),
  ])
}

/** The rows without the agents of collapsed supervisors; `toggled` are those that the user has expanded or collapsed. */
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
      const byDefault = searched || supervisor.trouble || supervisor.children.length <= manyChildren
      open = !last && byDefault !== toggled.has(supervisor.id)
    } else if (!open) return []
    return [{ ...row, open, last }]
  })
}

/** `1 of 5 within 120 s` */
export function restartLabel({ restarts, maxRestarts, windowSeconds }: Supervisor): string {
  return texts.supervisors.restarts.used(restarts?.inWindow ?? null, maxRestarts, windowSeconds)
}

/** Whether it no longer restarts its agents: the limit was reached, and an agent is down. */
export function hasGivenUp({ restarts, counts }: Supervisor): boolean {
  return restarts?.limitReached === true && counts.crashed > 0
}

/** For a collapsed supervisor: `14 agents, all running`, `3 agents, 1 crashed`. */
export function childrenSummary({ children, counts, missing }: Supervisor): string {
  const labels = texts.supervisors.children
  if (children.length === 0) return labels.none
  const all = Object.entries({ ...counts, running: 0, [labels.missing]: missing }).filter(
    ([, count]) => count > 0,
  )
  const states = all.map(([state, count]) => texts.counted(count, state)).join(', ')
  return labels.count(children.length, states === '' ? labels.allRunning : states)
}

/** A problem of a child; empty without one. */
export function childNote({ state, note }: SupervisorChild): string {
  const labels = texts.supervisors.child
  if (state === null) return labels.neverRegistered
  if (note === null) return ''
  if (note.kind === 'over budget') return texts.budgets.over
  if (note.kind === 'revoked module') return labels.revokedModule
  return note.detail ?? labels.crashed
}

/** The time of the latest event or restart of its agents; null if unknown. */
export function lastChange({ children, restarts }: Supervisor): string | null {
  const times = [restarts?.lastAt ?? null, ...children.map(({ lastEvent }) => lastEvent?.at ?? null)]
  return times.reduce((latest, at) => ((at ?? '') > (latest ?? '') ? at : latest), null)
}
