import { texts } from '../blog.texts.ts'
import classes from './field-label.module.css'

interface Props {
  text: string
  /** Whether the field may stay empty, or that it must not. */
  note?: string | null
  /** How much of its limit the field uses. */
  used?: readonly [number, number]
}

/** The label of a field, what it requires, and how much of its limit is used. */
export function FieldLabel({ text, note = null, used }: Props) {
  return (
    <span className={classes['label']}>
      {text} {note !== null && <span>{note}</span>}
      {used !== undefined && <span className={classes['count']}>{texts.details.count(...used)}</span>}
    </span>
  )
}
