import { useRef } from 'react'
import { readLocal, writeLocal } from '../../lib/state/storage.ts'
import classes from './list-width.module.css'

const key = 'skilldock-queue-width'
const minWidth = 240
const maxWidth = 420

function readWidth(): number | null {
  const width = Number(readLocal(key))
  return width >= minWidth && width <= maxWidth ? width : null
}

/** The resize handle between a list and its sheet, for pointer and arrow keys. The width is saved in this browser. */
export function ListWidth({ label }: { label: string }) {
  const edge = useRef<HTMLDivElement | null>(null)
  const set = (width: number): void => {
    const bounded = Math.round(Math.min(maxWidth, Math.max(minWidth, width)))
    writeLocal(key, String(bounded))
    edge.current?.parentElement?.style.setProperty('--queue-wanted', `${bounded}px`)
    edge.current?.setAttribute('aria-valuenow', String(bounded))
  }
  const box = (): DOMRect | undefined => edge.current?.previousElementSibling?.getBoundingClientRect()
  const now = (): number => box()?.width ?? minWidth
  return (
    <div
      ref={(element) => {
        edge.current = element
        const width = readWidth()
        if (element !== null && width !== null) set(width)
      }}
      className={classes['edge']}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      aria-valuenow={readWidth() ?? 304}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) set(event.clientX - (box()?.left ?? 0))
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') set(now() - 8)
        if (event.key === 'ArrowRight') set(now() + 8)
      }}
    />
  )
}
