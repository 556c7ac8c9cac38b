import { useActions } from '../keys/actions.ts'
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
  const move = (id: string, key: string, step: 1 | -1): Action => ({
    id,
    label: `${id} ${noun}`,
    group: 'Move',
    keys: [key],
    keysOnly: true,
    run: () => onMove(step),
  })
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
    move('next', 'j', 1),
    move('previous', 'k', -1),
    { id: 'list', label: 'focus the list', group: 'Move', keys: ['l'], keysOnly: true, run: toList },
    ...(drawer ? [close] : []),
  ])
}
