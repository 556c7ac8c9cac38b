import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { maxRows } from './use-rows.ts'
import { texts } from '../review.texts.ts'
import classes from './module-viewer.module.css'

interface Props {
  matched: number | null
  all: number
  /** `function`, `string` */
  what: string
  arranging: boolean
  error: Error | null
}

/** How many rows the table shows, announced when it changes. */
export function RowCount({ matched, all, what, arranging, error }: Props) {
  const late = useDelayed(arranging && error === null, 300)
  return (
    <p
      className={classes['count']}
      role="status"
      data-text="hint"
      data-ink={error === null ? undefined : 'bad'}
    >
      {error !== null
        ? error.message
        : late
          ? texts.module.loading
          : matched === null
            ? ''
            : countText(matched, all, what)}
    </p>
  )
}

function countText(matched: number, all: number, what: string): string {
  return all === 0 ? texts.module.noRows(what) : texts.module.rows(matched, all, what, maxRows)
}
