import { useActions } from '../../lib/actions.ts'
import type { Action } from '../../lib/actions.ts'
import { jumpTo, sections } from './sections.ts'

/** The keys that move within a release: digits to its sections, pages and steps; `scroll` takes parts of a page. */
export function useSheetActions(scroll: (pages: number) => void): void {
  useActions([
    ...sections.map(({ id, label }, index): Action => ({
      id: `section-${id}`,
      label: `jump to ${label}`,
      group: 'Move',
      keys: [String(index + 1)],
      run: () => jumpTo(id),
    })),
    {
      id: 'page',
      label: 'page down in the release',
      group: 'Move',
      keys: [' '],
      keysOnly: true,
      run: () => scroll(0.9),
    },
    {
      id: 'scroll-down',
      label: 'scroll the release while writing',
      group: 'Move',
      keys: ['alt+ArrowDown'],
      inFields: true,
      keysOnly: true,
      run: () => scroll(0.25),
    },
    {
      id: 'scroll-up',
      label: 'and back',
      group: 'Move',
      keys: ['alt+ArrowUp'],
      inFields: true,
      keysOnly: true,
      run: () => scroll(-0.25),
    },
  ])
}
