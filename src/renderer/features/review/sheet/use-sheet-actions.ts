import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { useScrollKeys } from '../../../lib/keys/use-scroll-keys.ts'
import { jumpTo, sections } from './sections.ts'

/** The keys that move within a release: digits to its sections, pages and steps; `scroll` takes parts of a page. */
export function useSheetActions(scroll: (pages: number) => void): void {
  useActions(
    sections.map(({ id, label }, index): Action => ({
      id: `section-${id}`,
      label: `jump to ${label}`,
      group: 'Move',
      keys: [String(index + 1)],
      run: () => jumpTo(id),
    })),
  )
  useScrollKeys('release', scroll)
}
