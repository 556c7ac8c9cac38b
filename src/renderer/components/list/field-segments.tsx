import { Link } from 'wouter'
import { formatCount } from '../../lib/format.ts'
import type { FilterState } from '../../lib/list/view-filter.ts'
import classes from './field-segments.module.css'

interface Props<Filter, Key extends keyof Filter> {
  label: string
  state: Pick<FilterState<Filter>, 'filter' | 'pathTo'>
  field: Key
  options: readonly (readonly [value: Filter[Key], label: string, count?: number | undefined])[]
  /** What is chosen with it. */
  along?: Partial<Filter>
}

/** The values of one field of a view's filter, as links. */
export function FieldSegments<Filter, Key extends keyof Filter & string>({
  label,
  state: { filter, pathTo },
  field,
  options,
  along,
}: Props<Filter, Key>) {
  return (
    <nav className={classes['segmented']} aria-label={label}>
      {options.map(([value, text, count]) => (
        <Link
          key={String(value)}
          href={pathTo({ ...along, [field]: value } as Partial<Filter>)}
          aria-current={value === filter[field] ? 'page' : undefined}
          data-ring="inside"
        >
          {text}
          {count !== undefined && <b>{formatCount(count)}</b>}
        </Link>
      ))}
    </nav>
  )
}
