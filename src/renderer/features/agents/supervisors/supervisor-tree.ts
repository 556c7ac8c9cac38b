import type { Supervisor, SupervisorChild } from '../../../../shared/contracts/desk-agents.ts'

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
