import type { Icon } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { ActionButton } from '../form/action-button.tsx'
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

interface DockButtonProps {
  icon: Icon
  keys: string
  filled?: boolean
  /** The id of the element that says why it does nothing; null while it works. */
  blockedBy?: string | null
  onClick: () => void
  children: string
}

/** A button of a dock. A blocked one can still be focused, which reads why. */
export function DockButton({ filled = false, blockedBy, ...button }: DockButtonProps) {
  return (
    <ActionButton
      variant={filled ? 'filled' : 'default'}
      aria-disabled={blockedBy === undefined ? undefined : blockedBy !== null}
      aria-describedby={blockedBy ?? undefined}
      {...button}
    />
  )
}
