import { Button } from '@mantine/core'
import { IconLayoutSidebar } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { Keycap } from '../form/keycap.tsx'
import { ErrorBoundary } from '../feedback/error-boundary.tsx'
import { Region } from '../feedback/region.tsx'
import classes from './sheet-pane.module.css'
import { ToastArea } from '../feedback/toast-area.tsx'

/** What is selected, over the dock that decides it: neither takes the other away. */
export function SheetPane({ sheet, dock }: { sheet: ReactNode; dock?: ReactNode }) {
  return (
    <div className={classes['pane']}>
      <ErrorBoundary what="This entry">{sheet}</ErrorBoundary>
      {dock !== undefined && <ErrorBoundary what="The decision">{dock}</ErrorBoundary>}
    </div>
  )
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
  ref?: Ref<HTMLElement>
  label: string
  /** Hears of the focus moving to anything in it. */
  onFocus?: (target: Element) => void
  children: ReactNode
}) {
  return (
    <Region
      name="sheet"
      ref={ref}
      className={classes['sheet']}
      tabIndex={0}
      role="region"
      aria-label={label}
      onFocus={onFocus === undefined ? undefined : ({ target }) => onFocus(target)}
    >
      {children}
    </Region>
  )
}

/** Stands where a sheet will be, or says why there is none. */
export function InsteadOfSheet({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <Region name="sheet" as="section" className={classes['instead']} aria-label={label}>
        {children}
      </Region>
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
