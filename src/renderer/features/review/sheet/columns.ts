import type { SectionId } from './sections.ts'

export type Block = 'new-capabilities' | SectionId

/** Minimum widths of the pane, in px, for two and three columns. */
const twoFrom = 880
const threeFrom = 1520

/** The blocks of each column, top to bottom, for a pane of this width. Reading and tab order follow it. */
export function columnsFor(width: number): Block[][] {
  if (width < twoFrom) {
    return [
      [
        'new-capabilities',
        'changes',
        'can-do',
        'did',
        'findings',
        'inside',
        'documents',
        'history',
        'conversation',
      ],
    ]
  }
  // With two or more columns, the capabilities are next to the changes and show what is new.
  const side: Block[] = ['can-do', 'findings', 'conversation']
  if (width < threeFrom) return [['changes', 'did', 'inside', 'documents', 'history'], side]
  return [['changes', 'did'], side, ['documents', 'history', 'inside']]
}
