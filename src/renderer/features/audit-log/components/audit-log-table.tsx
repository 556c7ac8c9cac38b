import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import type { AuditEntry } from '../../../../shared/contracts/desk-audit-log.ts'
import { moveActions, useActions } from '../../../lib/keys/actions.ts'
import { focusSoon } from '../../../lib/keys/regions.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useLoadVisible } from '../../../lib/list/use-paged-list.ts'
import type { PagedList } from '../../../lib/list/use-paged-list.ts'
import { AuditLogRow } from './audit-log-row.tsx'
import { texts } from '../audit-log.texts.ts'
import classes from './audit-log-table.module.css'

const rowHeight = 32
const { columns } = texts.table

interface Props {
  events: PagedList<AuditEntry>
  /** The index of the row whose full text is shown below. */
  selected: number
  onSelect: (place: number) => void
  /** Whether the first row takes the focus when the table is mounted. */
  focused: boolean
}

/** All events in rows of equal height, of which only the visible ones are rendered. */
export function AuditLogTable({ events, selected, onSelect, focused }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  const now = useNow()
  const [focusTarget, setFocusTarget] = useState<number | null>(focused ? 0 : null)
  const virtualizer = useVirtualizer({
    count: events.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const items = virtualizer.getVirtualItems()
  useLoadVisible(events, items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1)

  const go = (place: number): void => {
    const to = Math.max(0, Math.min(events.total - 1, place))
    onSelect(to)
    virtualizer.scrollToIndex(to, { align: 'auto' })
    setFocusTarget(to)
  }
  useEffect(() => {
    if (focusTarget === null) return undefined
    return focusSoon(
      () => scroller.current?.querySelector<HTMLElement>(`[data-place="${focusTarget}"]`),
      () => setFocusTarget(null),
    )
  }, [focusTarget])
  const open = (): void => {
    const entry = events.rowAt(selected)
    if (typeof entry?.releaseId === 'number') navigate(`/review/${entry.releaseId}?view=all`)
  }
  const press = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const steps: Record<string, number> = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + page,
      PageUp: selected - page,
      Home: 0,
      End: events.total - 1,
    }
    const to = steps[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    go(to)
  }
  useActions([
    ...moveActions(texts.table, (step) => go(selected + step)),
    { id: 'open-release', label: texts.table.openRelease, group: 'Move', keys: ['Enter'], run: open },
  ])
  return (
    <div className={classes['table']} role="grid" aria-label={texts.title} aria-rowcount={events.total + 1}>
      <div className={classes['head']} role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
      </div>
      <div ref={scroller} className={classes['scroller']} role="rowgroup" tabIndex={-1}>
        <div className={classes['rows']} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <AuditLogRow
              key={index}
              entry={events.rowAt(index)}
              place={index}
              top={start}
              now={now}
              selected={index === selected}
              onSelect={() => onSelect(index)}
              onKeyDown={press}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
