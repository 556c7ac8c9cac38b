import type { ReactNode, Ref } from 'react'
import { Region } from '../feedback/region.tsx'
import classes from './dock-frame.module.css'
import { ToastArea } from '../feedback/toast-area.tsx'

/** The one place that decides. It never moves, and says what a decision does before it is made. */
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

/** The dock while nothing is being decided: at the left what a decision would do, at the right the buttons. */
export function DockLine({
  ref,
  effect,
  trouble = false,
  children,
}: {
  /** What the effect stands in. */
  ref?: Ref<HTMLDivElement>
  effect: ReactNode
  /** Whether it says why nothing can be done. */
  trouble?: boolean
  children?: ReactNode
}) {
  return (
    <div className={classes['rest']}>
      <div ref={ref} className={classes['effect']} data-trouble={trouble || undefined}>
        {effect}
      </div>
      {children}
    </div>
  )
}
