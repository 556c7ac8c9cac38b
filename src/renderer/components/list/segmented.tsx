import { Link } from 'wouter'
import { formatCount } from '../../lib/format.ts'
import classes from './segmented.module.css'

export interface Segment {
  key: string
  label: string
  count?: number | undefined
  href: string
}

/** Views of a list as links. */
export function Segmented({
  segments,
  current,
  label,
}: {
  segments: readonly Segment[]
  current: string
  label: string
}) {
  return (
    <nav className={classes['segmented']} aria-label={label}>
      {segments.map((segment) => (
        <Link
          key={segment.key}
          href={segment.href}
          aria-current={segment.key === current ? 'page' : undefined}
          data-ring="inside"
        >
          {segment.label}
          {segment.count !== undefined && <b>{formatCount(segment.count)}</b>}
        </Link>
      ))}
    </nav>
  )
}
