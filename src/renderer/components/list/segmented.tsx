import { Link } from 'wouter'
import { formatCount } from '../../lib/format.ts'
import type { FilterState } from '../../lib/list/view-filter.ts'
import classes from './segmented.module.css'

interface Segment {
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

interface FieldProps<Filter, Key extends keyof Filter> {
  label: string
  state: FilterState<Filter>
  field: Key
  options: readonly (readonly [value: Filter[Key], label: string, count?: number | undefined])[]
  /** What is chosen with it. */
  along?: Partial<Filter>
}

/** The values of one field of a view's filter. */
export function FieldSegments<Filter, Key extends keyof Filter & string>({
  label,
  state,
  field,
  options,
  along,
}: FieldProps<Filter, Key>) {
  return (
    <Segmented
      label={label}
      current={String(state.filter[field])}
      segments={options.map(([value, text, count]) => ({
        key: String(value),
        label: text,
        count,
        href: state.pathTo({ ...along, [field]: value } as Partial<Filter>),
      }))}
    />
  )
}
