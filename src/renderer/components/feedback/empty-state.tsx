import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

/**
 * Says which of the three it is: nothing yet, nothing left, or nothing for this filter. With `heading` it is all that
 * the page shows, and its title is the page's heading.
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
    <div className={classes['empty']}>
      <Icon size={20} stroke={1.75} aria-hidden />
      {heading ? <h1 className={classes['title']}>{title}</h1> : <p className={classes['title']}>{title}</p>}
      {children}
    </div>
  )
}
