import { moveActions, useActions } from '../keys/actions.ts'
import type { Action } from '../keys/actions.ts'
import { findRegion, focusRegion } from '../keys/regions.ts'

interface Moves {
  /** What a row is: `release`. */
  noun: string
  /** Whether the list is open as a drawer over the sheet. */
  drawer: boolean
  onMove: (step: 1 | -1) => void
  onOpenList: () => void
  onCloseList: () => void
}

/** The shortcuts of a list next to its sheet. */
export function useListMoves({ noun, drawer, onMove, onOpenList, onCloseList }: Moves): void {
  const toList = (): void => {
    const list = findRegion('list')
    if (list === null || list.offsetParent === null) onOpenList()
    else {
      focusRegion(list)
      onCloseList()
    }
  }
  const close: Action = {
    id: 'close-list',
    label: 'close the list',
    group: 'Move',
    keys: ['Escape'],
    inFields: true,
    keysOnly: true,
    run: onCloseList,
  }
  useActions([
    ...moveActions({ next: `next ${noun}`, previous: `previous ${noun}` }, onMove),
    { id: 'list', label: 'focus the list', group: 'Move', keys: ['l'], keysOnly: true, run: toList },
    ...(drawer ? [close] : []),
  ])
}
