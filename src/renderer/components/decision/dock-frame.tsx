import type { ReactNode, Ref } from 'react'
import { Region } from '../feedback/region.tsx'
import classes from './dock-frame.module.css'
import { ToastArea } from '../feedback/toast-area.tsx'

/** The panel for decisions. It never moves, and says what a decision does before it is made. */
export function DockFrame({
  ref,
  open,
  label = 'Decision',
  children,
}: {
  ref?: Ref<HTMLElement>
  open: boolean
  label?: string
  children: ReactNode
}) {
  return (
    <Region
      name="dock"
      as="section"
      ref={ref}
      className={classes['dock']}
      data-open={open || undefined}
      aria-label={label}
    >
      <ToastArea />
      {children}
    </Region>
  )
}

/** One line in a dock: what a decision would do on the left, the buttons on the right. */
export function DockLine({
  ref,
  effect,
  blocked = false,
  children,
}: {
  /** The element that contains the effect. */
  ref?: Ref<HTMLDivElement>
  effect: ReactNode
  /** Whether the effect says why no decision is possible. */
  blocked?: boolean
  children?: ReactNode
}) {
  return (
    <div className={classes['rest']}>
      <div ref={ref} className={classes['effect']} data-trouble={blocked || undefined}>
        {effect}
      </div>
      {children}
    </div>
  )
}
