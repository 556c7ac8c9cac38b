import { Textarea } from '@mantine/core'
import type { Ref } from 'react'
import { CountedLabel } from '../form/counted-label.tsx'
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
      <CountedLabel
        ids={{ field: 'decision-reason', count: 'decision-count' }}
        label={label}
        text={reason}
        maxLength={maxLength}
      />
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
