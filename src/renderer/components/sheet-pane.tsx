import { Button } from '@mantine/core'
import { IconLayoutSidebar } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { Keycap } from './keycap.tsx'
import classes from './sheet-pane.module.css'
import { ToastArea } from './toast-area.tsx'

/** What is selected, over the dock that decides it. */
export function SheetPane({ children }: { children: ReactNode }) {
  return <div className={classes['pane']}>{children}</div>
}

/** Trouble with reading what is shown, over it. */
export function SheetTrouble({ children }: { children: ReactNode }) {
  return <div className={classes['stale']}>{children}</div>
}

/** All that is to be read, in one part that scrolls. */
export function Sheet({
  ref,
  label,
  onFocus,
  children,
}: {
  ref?: Ref<HTMLDivElement>
  label: string
  /** Hears of the focus moving to anything in it. */
  onFocus?: (target: Element) => void
  children: ReactNode
}) {
  return (
    // It hears where the focus goes in it; it is nothing that is pressed.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={ref}
      className={classes['sheet']}
      data-region="sheet"
      tabIndex={0}
      role="region"
      aria-label={label}
      onFocus={onFocus === undefined ? undefined : ({ target }) => onFocus(target)}
    >
      {children}
    </div>
  )
}

/** Stands where a sheet will be, or says why there is none. */
export function InsteadOfSheet({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <section className={classes['instead']} data-region="sheet" aria-label={label} tabIndex={-1}>
        {children}
      </section>
      <div className={classes['toasts']}>
        <ToastArea />
      </div>
    </>
  )
}

/** Opens the list where it is no column. */
export function ListButton({ label, onOpen }: { label: string; onOpen: () => void }) {
  return (
    <Button
      size="sm"
      className={classes['list'] ?? ''}
      leftSection={<IconLayoutSidebar size={16} stroke={1.75} />}
      onClick={onOpen}
    >
      {label}&nbsp;
      <Keycap keys="l" quiet />
    </Button>
  )
}
