import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useLocation } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { Supervisor } from '../../../../shared/contracts/desk-agents.ts'
import { treeRows } from './supervisor-tree.ts'
import type { TreeRow } from './supervisor-tree.ts'
import { inDesk, useTablePlace } from '../view-address.ts'
import { treeColumns, TreeCells } from './supervisor-row.tsx'
import classes from './supervisor-tree.module.css'

interface Props {
  supervisors: readonly Supervisor[]
  /** Whether a search narrows them: then what was found is open. */
  searched: boolean
  view: string
  selected: string | null
  onSelect: (id: string) => void
}

const rowHeight = 32

/**
 * Supervisors and their agents in start order. Arrow keys walk, right opens and left closes; Enter shows a
 * supervisor's details or leads to an agent.
 */
export function SupervisorTree({ supervisors, searched, view, selected, onSelect }: Props) {
  const [, navigate] = useLocation()
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const place = useTablePlace(view)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const rows = treeRows(supervisors, toggled, searched)
  const [activeKey, setActiveKey] = useState<string | null>(selected === null ? null : `s ${selected}`)
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  )
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
    scrollMargin: 28,
    scrollPaddingStart: 28,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const look = useEffectEvent(() => place.look(first))
  useEffect(() => look(), [first])
  const begin = useEffectEvent(() => {
    // The address names a supervisor, and no place: then that one is in sight.
    if (place.start === 0) virtualizer.scrollToIndex(active, { align: 'auto' })
    else virtualizer.scrollToIndex(place.start, { align: 'start' })
  })
  useEffect(() => begin(), [view])

  const toggle = (supervisorId: string): void => {
    const next = new Set(toggled)
    if (!next.delete(supervisorId)) next.add(supervisorId)
    setToggled(next)
  }
  const go = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row === undefined) return
    setActiveKey(row.key)
    virtualizer.scrollToIndex(rows.indexOf(row), { align: 'auto' })
  }
  const open = (row: TreeRow): void => {
    if (row.kind === 'supervisor') onSelect(row.supervisor.id)
    else navigate(inDesk(agentPlaces.agent(row.child.agent)))
  }
  const walk = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return
    const row = rows[active]
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight() {
        if (row?.kind !== 'supervisor' || row.supervisor.children.length === 0) return
        if (row.open) go(active + 1)
        else toggle(row.supervisor.id)
      },
      ArrowLeft() {
        if (row?.kind === 'child') go(rows.findIndex(({ key }) => key === `s ${row.supervisor.id}`))
        else if (row?.open) toggle(row.supervisor.id)
      },
      Enter() {
        if (row !== undefined) open(row)
      },
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }
  const press = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null
    const row =
      rows[Number(target?.closest<HTMLElement>('[data-row-index]')?.dataset['rowIndex'] ?? Number.NaN)]
    if (row === undefined || target?.closest('a') !== null) return
    setActiveKey(row.key)
    if (row.kind === 'supervisor' && target.closest('[data-toggle]') !== null) toggle(row.supervisor.id)
    else open(row)
  }
  const isThere = items.some(({ index }) => index === active)
  return (
    <div
      ref={scroller}
      className={classes['tree']}
      role="treegrid"
      tabIndex={0}
      aria-label="Supervisors"
      aria-rowcount={rows.length + 1}
      aria-colcount={treeColumns.length}
      data-ring="inside"
      onKeyDown={walk}
      onClick={press}
      {...(isThere ? { 'aria-activedescendant': `${id}-${active}` } : {})}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['headRow']}>
          {treeColumns.map((label) => (
            <div key={label} role="columnheader">
              {label}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes['rows']} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index]
          if (row === undefined) return null
          const isSupervisor = row.kind === 'supervisor'
          return (
            <div
              key={key}
              id={`${id}-${index}`}
              role="row"
              className={classes['row']}
              data-row-index={index}
              data-kind={row.kind}
              data-active={index === active || undefined}
              aria-rowindex={index + 2}
              aria-level={isSupervisor ? 1 : 2}
              aria-expanded={isSupervisor && row.supervisor.children.length > 0 ? row.open : undefined}
              aria-selected={isSupervisor && row.supervisor.id === selected}
              style={{ transform: `translateY(${start - 28}px)` }}
            >
              <TreeCells row={row} />
            </div>
          )
        })}
      </div>
    </div>
  )
}
