import type { SectionId } from './sections.ts'

export type Block = 'growth' | SectionId

/** The first width of a pane, in px, at which a release has so many columns. */
const twoFrom = 880
const threeFrom = 1520

/** What stands in which column of a pane of this width, from top to bottom; so it is read and walked through as well. */
export function columnsFor(width: number): Block[][] {
  if (width < twoFrom) {
    return [['growth', 'changes', 'can-do', 'did', 'findings', 'inside', 'documents', 'history']]
  }
  // From here on the growth stands in red beside the changes, where it belongs.
  const side: Block[] = ['can-do', 'findings']
  if (width < threeFrom) return [['changes', 'did', 'inside', 'documents', 'history'], side]
  return [['changes', 'did'], side, ['documents', 'history', 'inside']]
}
