import type { Supervisor, SupervisorChild } from '../../../../shared/contracts/desk-agents.ts'

export interface TreeFilter {
  q: string
  trouble: boolean
}

export type TreeRow =
  | { kind: 'supervisor'; key: string; supervisor: Supervisor; open: boolean }
  | { kind: 'child'; key: string; supervisor: Supervisor; child: SupervisorChild; last: boolean }

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

/** The rows from the top down; `toggled` are those that a person has opened or closed. */
export function treeRows(
  supervisors: readonly Supervisor[],
  toggled: ReadonlySet<string>,
  searched: boolean,
): TreeRow[] {
  return supervisors.flatMap((supervisor): TreeRow[] => {
    const { id, children, trouble } = supervisor
    const byItself = searched || trouble || children.length <= manyChildren
    const open = byItself !== toggled.has(id) && children.length > 0
    const head: TreeRow = { kind: 'supervisor', key: `s ${id}`, supervisor, open }
    if (!open) return [head]
    return [
      head,
      ...children.map((child, index): TreeRow => ({
        kind: 'child',
        key: `c ${id} ${child.agent}`,
        supervisor,
        child,
        last: index === children.length - 1,
      })),
    ]
  })
}

/** A supervisor with its newest values, and its children in the places that they had. */
export function keepChildren(held: Supervisor, latest: Supervisor): Supervisor {
  const children = new Map(latest.children.map((child) => [child.agent, child]))
  return { ...latest, children: held.children.map((child) => children.get(child.agent) ?? child) }
}

/** Another text means that rows would move. */
export function treeShape({ id, children }: Supervisor): string {
  return JSON.stringify([id, children.map(({ agent }) => agent)])
}
