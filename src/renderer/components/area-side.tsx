import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../lib/format.ts'
import { CountBadge } from './count-badge.tsx'
import { ErrorBoundary } from './feedback/error-boundary.tsx'
import { Region } from './feedback/region.tsx'
import classes from './area-side.module.css'

interface AreaView {
  path: string
  label: string
  icon: Icon
  /** Whether this view is open. */
  here: boolean
  /** Shown after its name; null if unknown or not worth showing. */
  count: number | null
  /** Which of the items that the label names are counted, if not all. */
  of?: string
}

interface Props {
  name: string
  views: readonly AreaView[]
  /** At the foot of the column; with it the column is wider. */
  foot?: ReactNode
  children: ReactNode
}

/** An area with several views: a sidebar that lists them, and the open view. */
export function AreaSide({ name, views, foot, children }: Props) {
  return (
    <div className={classes['frame']} data-wide={foot !== undefined || undefined}>
      <Region name="side" className={classes['side']}>
        <nav aria-label={name}>
          {views.map((view) => (
            <ViewLink key={view.path} {...view} />
          ))}
        </nav>
        {foot}
      </Region>
      <ErrorBoundary what="This page" heading={name} resetKey={views.find(({ here }) => here)?.path}>
        {children}
      </ErrorBoundary>
    </div>
  )
}

function ViewLink({ path, label, icon: ViewIcon, here, count, of }: AreaView) {
  return (
    <Link href={path} className={classes['row']} aria-current={here ? 'page' : undefined} data-ring="inside">
      <ViewIcon size={16} stroke={1.75} aria-hidden />
      <span>{label}</span>
      {count !== null &&
        (of === undefined ? (
          <b>{formatCount(count)}</b>
        ) : (
          <CountBadge count={count} label={`${formatCount(count)} ${of}`} />
        ))}
    </Link>
  )
}
