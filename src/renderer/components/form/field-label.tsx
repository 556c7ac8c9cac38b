import { countCodePoints } from '../../../shared/text.ts'
import { formatCount } from '../../lib/format.ts'
import classes from './field-label.module.css'

interface Props {
  text: string
  /** Says that the field is optional or required. */
  note?: string | null
  /** How much of its limit the field uses: a number, or a text whose characters are counted. */
  used?: readonly [used: number | string, limit: number]
  /** The id of the count, for a field that it describes. */
  countId?: string
}

/** The label of a field, what it requires, and how much of its limit is used. */
export function FieldLabel({ text, note = null, used, countId }: Props) {
  return (
    <span className={classes['label']}>
      {text} {note !== null && <span>{note}</span>}
      {used !== undefined && (
        <span id={countId} className={classes['count']} aria-hidden>
          {formatCount(typeof used[0] === 'string' ? countCodePoints(used[0].trim()) : used[0])} of{' '}
          {formatCount(used[1])}
        </span>
      )}
    </span>
  )
}
