import { Button } from '@mantine/core'
import { IconLayoutSidebar } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { Keycap } from '../form/keycap.tsx'
import { ErrorBoundary } from '../feedback/error-boundary.tsx'
import { Region } from '../feedback/region.tsx'
import classes from './sheet-pane.module.css'
import { ToastArea } from '../feedback/toast-area.tsx'

/** The selected item above the dock. A rendering error in one leaves the other usable. */
export function SheetPane({ sheet, dock }: { sheet: ReactNode; dock?: ReactNode }) {
  return (
    <div className={classes['pane']}>
      <ErrorBoundary what="This item">{sheet}</ErrorBoundary>
      {dock !== undefined && <ErrorBoundary what="The decision">{dock}</ErrorBoundary>}
    </div>
  )
}

/** A notice above the sheet, such as a failed refresh. */
export function SheetNotice({ children }: { children: ReactNode }) {
  return <div className={classes['stale']}>{children}</div>
}

/** The scrolling part with the details of the selected item. */
export function Sheet({
  ref,
  label,
  onFocus,
  children,
}: {
  ref?: Ref<HTMLElement>
  label: string
  /** Called when an element inside gets the focus. */
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

interface HeadProps {
  /** The button that opens the list, in narrow windows. */
  list: ReactNode
  title: ReactNode
  /** Whether the title is an identifier, set in monospace. */
  mono?: boolean
  /** Status and buttons, to the right of the title. */
  beside: ReactNode
  /** List items below the title. */
  facts: ReactNode
  children?: ReactNode
}

/** The title of a sheet with its status, buttons and the most important facts. */
export function SheetHead({ list, title, mono = false, beside, facts, children }: HeadProps) {
  return (
    <header className={classes['head']}>
      {list}
      <div className={classes['top']}>
        <h1 data-mono={mono || undefined}>{title}</h1>
        {beside}
      </div>
      <ul className={classes['facts']}>{facts}</ul>
      {children}
    </header>
  )
}

/** Replaces the sheet while it loads, or says why it is missing. */
export function SheetPlaceholder({ label, children }: { label: string; children: ReactNode }) {
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

/** Opens the list as a drawer, in narrow windows. */
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
