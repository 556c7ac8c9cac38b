import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { moveActions, useActions } from '../keys/actions.ts'
import type { Action } from '../keys/actions.ts'
import { findRegion, focusRegion } from '../keys/regions.ts'
import type { RowWalk } from './decided-rows.ts'

interface Selectable<Filter> {
  /** What a row is: `release`. */
  noun: string
  /** The selected row; null selects the first one. */
  id: number | null
  list: Pick<RowWalk<{ id: number }>, 'rowAt' | 'neighbor'>
  filter: Filter
  /** The address of a row. */
  path: (filter: Filter, id: number) => string
}

/** The selected row of a list next to its sheet, its shortcuts, and whether the list is open as a drawer over the sheet. */
export function useListSelection<Filter>({ noun, id, list, filter, path }: Selectable<Filter>) {
  const [, navigate] = useLocation()
  // The drawer belongs to one row; selecting another one closes it.
  const [openOver, setOpenOver] = useState<{ id: number | null } | null>(null)
  // The first row is selected automatically, which keeps the drawer open.
  if (openOver !== null && openOver.id !== id) setOpenOver(openOver.id === null ? { id } : null)
  const drawer = openOver !== null && openOver.id === id
  const openList = useCallback(() => setOpenOver({ id }), [id])
  const closeList = useCallback(() => setOpenOver(null), [])
  const [focusRequested, requestFocus] = useState<number | null>(null)

  const firstId = list.rowAt(0)?.id
  useEffect(() => {
    if (id === null && firstId !== undefined) navigate(path(filter, firstId), { replace: true })
  })

  const select = useCallback(
    (to: number | undefined): void => {
      if (to === undefined) return
      requestFocus(to)
      if (to !== id) navigate(path(filter, to))
    },
    [id, filter, path, navigate],
  )
  const toList = (): void => {
    const region = findRegion('list')
    if (region === null || region.offsetParent === null) openList()
    else {
      focusRegion(region)
      closeList()
    }
  }
  const close: Action = {
    id: 'close-list',
    label: 'close the list',
    group: 'Move',
    keys: ['Escape'],
    inFields: true,
    keysOnly: true,
    run: closeList,
  }
  useActions([
    ...moveActions({ next: `next ${noun}`, previous: `previous ${noun}` }, (step) =>
      select(list.neighbor(id, step)),
    ),
    { id: 'list', label: 'focus the list', group: 'Move', keys: ['l'], keysOnly: true, run: toList },
    ...(drawer ? [close] : []),
  ])
  return { drawer, openList, closeList, select, focusRequested, requestFocus }
}
