import { countCodePoints } from '../../../shared/text.ts'
import { formatCount } from '../../lib/format.ts'
import classes from './counted-label.module.css'

interface Props {
  /** Ids of the text box and of the count, which describes it. */
  ids: { field: string; count: string }
  label: string
  text: string
  maxLength: number
}

/** The label of a text box, with the length of its text and the limit. */
export function CountedLabel({ ids, label, text, maxLength }: Props) {
  return (
    <div className={classes['label']}>
      <label htmlFor={ids.field}>{label}</label>
      <span id={ids.count}>
        {formatCount(countCodePoints(text.trim()))} of {formatCount(maxLength)}
      </span>
    </div>
  )
}
