import type { ReactNode } from 'react'
import { ErrorBoundary } from '../feedback/error-boundary.tsx'
import classes from './list-and-sheet.module.css'
import { ListWidth } from './list-width.tsx'

interface Props {
  /** Completes "Width of …". */
  what: string
  /** Whether the list is open as a drawer over the sheet, in narrow windows. */
  drawer: boolean
  onClose: () => void
  list: ReactNode
  sheet: ReactNode
}

/** A list on the left and the selected item on the right. */
export function ListAndSheet({ what, drawer, onClose, list, sheet }: Props) {
  return (
    <div className={classes['page']} data-drawer={drawer || undefined}>
      <ErrorBoundary what="The list">{list}</ErrorBoundary>
      <ListWidth label={`Width of ${what}`} />
      {drawer && <div className={classes['scrim']} onClick={onClose} aria-hidden />}
      <ErrorBoundary what="The selected item">{sheet}</ErrorBoundary>
    </div>
  )
}
