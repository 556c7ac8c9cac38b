import { VisuallyHidden } from '@mantine/core'
import { IconLayoutSidebar } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { ActionButton } from '../form/action-button.tsx'
import { asApiError } from '../../lib/server/api-error.ts'
import { ErrorBoundary } from '../feedback/error-boundary.tsx'
import { Failure } from '../feedback/failure.tsx'
import { Region } from '../feedback/region.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'
import classes from './sheet-pane.module.css'
import { ToastArea } from '../feedback/toast-area.tsx'

interface PaneProps {
  /** Reads the selected item. */
  query: { error: unknown; refetch: () => unknown }
  texts: {
    /** The name of the region without an item. */
    label: string
    /** Completes "Loading …". */
    loading: string
    loadFailed: string
    refreshFailed: string
    notFound: string
    /** Only of items that can be deleted. */
    deleted?: string
  }
  /** The page's heading without an item. */
  heading: string
  /** The button that opens the list, in narrow windows. */
  list: ReactNode
  /** Shown while no item is selected; undefined if one is. */
  none: ReactNode
  /** The item; null until it is read. */
  sheet: ReactNode
  dock?: ReactNode
}

/** The selected item above the dock, or why it is missing. A rendering error in one leaves the other usable. */
export function SheetPane({ query: { error, refetch }, texts, heading, list, none, sheet, dock }: PaneProps) {
  const isMissing = error !== null && asApiError(error).code === 'NOT_FOUND'
  const failure = (what: string): ReactNode => (
    <Failure error={error} what={what} retry={() => void refetch()} />
  )
  return (
    <div className={classes['pane']}>
      <ErrorBoundary what="This item">
        {sheet === null ? (
          <>
            <Region name="sheet" as="section" className={classes['instead']} aria-label={texts.label}>
              <VisuallyHidden component="h1">{heading}</VisuallyHidden>
              {list}
              {none !== undefined ? (
                none
              ) : error === null ? (
                <Skeleton rows={9} height={40} what={texts.loading} />
              ) : (
                failure(isMissing ? texts.notFound : texts.loadFailed)
              )}
            </Region>
            <ToastArea place="pane" />
          </>
        ) : (
          <>
            {error !== null && (
              <div className={classes['stale']}>
                {failure(isMissing ? (texts.deleted ?? texts.notFound) : texts.refreshFailed)}
              </div>
            )}
            {sheet}
          </>
        )}
      </ErrorBoundary>
      {dock !== undefined && <ErrorBoundary what="The decision">{dock}</ErrorBoundary>}
    </div>
  )
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

/** Opens the list as a drawer, in narrow windows. */
export function ListButton({ label, onOpen }: { label: string; onOpen: () => void }) {
  return (
    <ActionButton
      size="sm"
      className={classes['list'] ?? ''}
      icon={IconLayoutSidebar}
      keys="l"
      onClick={onOpen}
    >
      {label}
    </ActionButton>
  )
}
