import { Textarea } from '@mantine/core'
import type { Ref } from 'react'
import { countCodePoints } from '../../../shared/text.ts'
import { formatCount } from '../../lib/format.ts'
import classes from './reason-field.module.css'

interface Props {
  ref: Ref<HTMLTextAreaElement>
  label: string
  maxLength: number
  reason: string
  onReason: (reason: string) => void
}

/** The text box for review notes, with their length and limit. */
export function ReasonField({ ref, label, maxLength, reason, onReason }: Props) {
  return (
    <div className={classes['field']}>
      <div className={classes['label']}>
        <label htmlFor="decision-reason">{label}</label>
        <span id="decision-count">
          {formatCount(countCodePoints(reason.trim()))} of {formatCount(maxLength)}
        </span>
      </div>
      <Textarea
        id="decision-reason"
        ref={ref}
        className={classes['text'] ?? ''}
        value={reason}
        aria-describedby="decision-count decision-problem"
        onChange={(event) => onReason(event.currentTarget.value)}
      />
    </div>
  )
}
