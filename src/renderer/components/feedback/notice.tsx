import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

/** A box that says what happened and what to do: `bad` for errors, `warn` for warnings, `note` for information. */
export function Notice({
  tone,
  icon: Icon,
  title,
  children,
  actions,
  role,
}: {
  tone: 'bad' | 'warn' | 'note'
  icon: Icon
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  role?: 'alert' | 'status'
}) {
  return (
    <div className={classes['notice']} data-tone={tone} role={role}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <div className={classes['body']}>
        <p className={classes['title']}>{title}</p>
        {children}
        {actions !== undefined && (
          <div className={classes['actions']} data-actions>
            {actions}
          </div>
        )}
      </div>
    </div>
  )
}
