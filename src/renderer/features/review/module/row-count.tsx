import { formatCount, plural } from '../../../lib/format.ts'
import { useLate } from '../../../lib/time/use-late.ts'
import { mostRows } from './use-rows.ts'
import classes from './module-viewer.module.css'

interface Props {
  matched: number | null
  all: number
  /** `function`, `string` */
  what: string
  arranging: boolean
  error: Error | null
}

/** How much of what there is the table shows; said again when it has changed. */
export function RowCount({ matched, all, what, arranging, error }: Props) {
  const late = useLate(arranging && error === null, 300)
  return (
    <p className={classes['count']} role="status" data-tone={error === null ? undefined : 'bad'}>
      {error !== null ? error.message : late ? 'Reading…' : matched === null ? '' : words(matched, all, what)}
    </p>
  )
}

function words(matched: number, all: number, what: string): string {
  if (all === 0) return `No ${what}s`
  const listed = matched > mostRows ? `, the first ${formatCount(mostRows)} are listed` : ''
  return matched === all
    ? `${plural(all, what)}${listed}`
    : `${formatCount(matched)} of ${plural(all, what)}${listed}`
}
