import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { columnsFor } from './columns.ts'
import type { Block } from './columns.ts'
import { ErrorBoundary } from '../../../components/feedback/error-boundary.tsx'
import { sections } from './sections.ts'
import { texts } from '../review.texts.ts'
import classes from './sheet-columns.module.css'

type Blocks = Partial<Record<Block, ReactNode>>

/**
 * The blocks of a release in as many columns as fit. When the layout changes, the element of a block moves to its
 * new column and keeps its state. DOM order equals visual order, for the keyboard and for screen readers.
 */
export function SheetColumns({ blocks }: { blocks: Blocks }) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number | null>(null)
  const [hosts] = useState(() => new Map<Block, HTMLElement>())
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const measure = (): void => setWidth(element.offsetWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const hostOf = (block: Block): HTMLElement => {
    const host = hosts.get(block) ?? document.createElement('div')
    hosts.set(block, host)
    return host
  }
  const columns =
    width === null
      ? []
      : columnsFor(width).map((column) => column.filter((block) => blocks[block] !== undefined))
  return (
    <div ref={frame}>
      <div className={classes['columns']}>
        {columns.map((column, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={classes['column']}>
            {column.map((block) => (
              <Place key={block} host={hostOf(block)} />
            ))}
          </div>
        ))}
      </div>
      {columns
        .flat()
        .map((block) =>
          createPortal(
            <ErrorBoundary what={labelOf(block)}>{blocks[block]}</ErrorBoundary>,
            hostOf(block),
            block,
          ),
        )}
    </div>
  )
}

const labelOf = (block: Block): string =>
  sections.find(({ id }) => id === block)?.label ?? texts.newCapabilities.error

/** The current position of a block. */
function Place({ host }: { host: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    place.current?.append(host)
  }, [host])
  return <div ref={place} />
}
