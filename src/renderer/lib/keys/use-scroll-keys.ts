import { useActions } from './actions.ts'

/** The shortcuts that scroll a sheet; those with Alt also work in its dock. `scroll` takes fractions of a page. */
export function useScrollKeys(noun: string, scroll: (pages: number) => void): void {
  useActions([
    {
      id: 'page',
      label: `page down in the ${noun}`,
      group: 'Move',
      keys: [' '],
      keysOnly: true,
      run: () => scroll(0.9),
    },
    {
      id: 'scroll-down',
      label: `scroll down in the ${noun}`,
      group: 'Move',
      keys: ['alt+ArrowDown'],
      inFields: true,
      keysOnly: true,
      run: () => scroll(0.25),
    },
    {
      id: 'scroll-up',
      label: `scroll up in the ${noun}`,
      group: 'Move',
      keys: ['alt+ArrowUp'],
      inFields: true,
      keysOnly: true,
      run: () => scroll(-0.25),
    },
  ])
}
