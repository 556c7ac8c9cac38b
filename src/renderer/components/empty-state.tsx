import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

/** Says which of the three it is: nothing yet, nothing left, or nothing for this filter. */
export function EmptyState({
  icon: Icon,
  title,
  children,
}: {
  icon: Icon
  title: string
  children?: ReactNode
}) {
  return (
    <div className={classes['empty']}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <p className={classes['title']}>{title}</p>
      {children}
    </div>
  )
}
