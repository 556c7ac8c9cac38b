import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

/**
 * The title should say why it is empty: nothing yet, nothing left, or nothing that matches the filter. With `heading`,
 * for a page that shows nothing else, the title is the page's heading.
 */
export function EmptyState({
  icon: Icon,
  title,
  heading = false,
  children,
}: {
  icon: Icon
  title: string
  heading?: boolean
  children?: ReactNode
}) {
  return (
    <div className={classes['empty']} data-text="hint">
      <Icon size={20} stroke={1.75} aria-hidden />
      {heading ? <h1 className={classes['title']}>{title}</h1> : <p className={classes['title']}>{title}</p>}
      {children}
    </div>
  )
}
