import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Extent } from '../tall-scroll.ts'
import { rowHeight } from '../tall-scroll.ts'
import type { AuditList } from './audit-list.ts'
import { useTallScroll } from '../use-tall-scroll.ts'
import { AuditCells, extraHeight } from './audit-row.tsx'
import classes from './audit-table.module.css'

interface Props {
  list: AuditList
  /** The id of the row whose details are open. */
  opened: number | null
  onOpen: (id: number) => void
  /** Tells the row at the upper edge once it has stayed there; null at the beginning. */
  onPlace: (id: number | null) => void
}

const headHeight = 28
const overscan = 6
const lookMs = 80
const restMs = 300

const heads = [
  { key: 'row', label: 'Row' },
  { key: 'time', label: 'Time, UTC' },
  { key: 'lamport', label: 'Lamport' },
  { key: 'agent', label: 'Agent' },
  { key: 'event', label: 'Event' },
  { key: 'detail', label: 'Detail' },
  { key: 'hash', label: 'Hash, recomputed' },
] as const

/** Rows of the audit, as many as there are; only those in sight are in the document. The arrow keys walk them. */
export function AuditTable({ list, opened, onOpen, onPlace }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const [active, setActive] = useState({ view: list.view, place: list.start })
  const place = active.view === list.view ? active.place : list.start
  const scroll = useTallScroll({
    scroller,
    extent: extentOf(list),
    covered: headHeight,
    view: list.view,
    start: list.start,
  })
  const first = Math.max(0, scroll.first - overscan)
  const end = Math.min(list.total, scroll.end + overscan)
  useLook(list, scroll.first, scroll.end)
  const edge = scroll.first
  const edgeId = edge === 0 ? null : list.rows.get(edge)?.id
  const tellPlace = useEffectEvent((rowId: number | null) => {
    if (scroll.isMeasured) onPlace(rowId)
  })
  useEffect(() => {
    if (edgeId === undefined) return undefined
    const timer = setTimeout(() => tellPlace(edgeId), restMs)
    return () => clearTimeout(timer)
  }, [edgeId])

  const open = (at: number): void => {
    const row = list.rows.get(at)
    if (row !== undefined) onOpen(row.id)
  }
  const go = (to: number): void => {
    const next = Math.max(0, Math.min(list.total - 1, to))
    setActive({ view: list.view, place: next })
    scroll.show(next)
    if (opened !== null) open(next)
  }
  const walk = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || list.total === 0) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor(scroll.sight / rowHeight) - 2)
    const to = targetOf(event.key, place, page, list.total)
    if (to === null && event.key !== 'Enter') return
    event.preventDefault()
    if (to === null) open(place)
    else go(to)
  }
  const press = ({ target }: MouseEvent): void => {
    const element = target instanceof Element ? target : null
    const row = element?.closest<HTMLElement>('[data-place]') ?? null
    if (row === null || element?.closest('button, a') !== null) return
    // Whoever marks text to copy it does not open the row.
    if (getSelection()?.isCollapsed === false) return
    const at = Number(row.dataset['place'])
    setActive({ view: list.view, place: at })
    open(at)
  }
  useActions([
    { id: 'next', label: 'next row', group: 'Move', keys: ['j'], keysOnly: true, run: () => go(place + 1) },
    {
      id: 'previous',
      label: 'previous row',
      group: 'Move',
      keys: ['k'],
      keysOnly: true,
      run: () => go(place - 1),
    },
  ])

  const isActiveThere = place >= first && place < end
  return (
    <div
      ref={scroller}
      className={classes['table']}
      role="grid"
      tabIndex={0}
      aria-label="Audit"
      aria-rowcount={list.isWhole ? list.total + 1 : -1}
      aria-colcount={heads.length}
      data-ring="inside"
      data-rows={list.total > 0 ? '' : undefined}
      onScroll={scroll.onScroll}
      onKeyDown={walk}
      onClick={press}
      {...(isActiveThere ? { 'aria-activedescendant': `${id}-${place}` } : {})}
    >
      <div className={classes['head']} role="rowgroup">
        <div className={classes['cells']} role="row" aria-rowindex={1}>
          {heads.map(({ key, label }) => (
            <div key={key} role="columnheader" data-column={key}>
              {label}
            </div>
          ))}
        </div>
      </div>
      <div className={classes['rows']} role="rowgroup" style={{ height: scroll.height }}>
        <div className={classes['layer']} role="presentation" style={{ top: scroll.at }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, index) => {
            const at = first + index
            const row = list.rows.get(at)
            return (
              <div
                key={at}
                id={`${id}-${at}`}
                className={classes['row']}
                role="row"
                aria-rowindex={at + 2}
                aria-selected={row !== undefined && row.id === opened}
                data-place={at}
                data-row-id={row?.id}
                data-bad={row?.verified === false ? '' : undefined}
                data-active={at === place ? '' : undefined}
                style={{ transform: `translateY(${scroll.topOf(at)}px)` }}
              >
                <AuditCells
                  // What was begun on a row belongs to it, wherever it stands.
                  key={row?.id}
                  row={row}
                  isSeen={row !== undefined && seen.has(row.id)}
                  onSeen={() => {
                    if (row !== undefined) setSeen(new Set([...seen, row.id]))
                  }}
                />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function extentOf({ total, rows }: AuditList): Extent {
  const extras = [...rows]
    .flatMap(([place, row]) => {
      const height = extraHeight(row)
      return height === 0 || place >= total ? [] : [{ place, height }]
    })
    .toSorted((one, other) => one.place - other.place)
  return { total, extras }
}

function targetOf(key: string, place: number, page: number, total: number): number | null {
  const targets: Record<string, number> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + page,
    PageUp: place - page,
    Home: 0,
    End: total - 1,
  }
  return targets[key] ?? null
}

/** Has the rows in sight read; while the table is being scrolled, not for each step of it. */
function useLook(list: Pick<AuditList, 'look' | 'total' | 'view'>, first: number, end: number): void {
  const last = useRef(0)
  const look = useEffectEvent((view: string, from: number, to: number) => {
    last.current = performance.now()
    if (view === list.view) list.look(from, to)
  })
  const { total, view } = list
  useEffect(() => {
    const wait = Math.max(0, last.current + lookMs - performance.now())
    const timer = setTimeout(() => look(view, first, Math.min(end, total)), wait)
    return () => clearTimeout(timer)
  }, [first, end, total, view])
}
