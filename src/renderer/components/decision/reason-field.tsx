import { Textarea } from '@mantine/core'
import type { Ref } from 'react'
import { FieldLabel } from '../form/field-label.tsx'
import classes from './reason-field.module.css'

interface Props {
  ref: Ref<HTMLTextAreaElement>
  label: string
  maxLength: number
  reason: string
  onReason: (reason: string) => void
}

/** The text box for the reason of a decision, with its length and limit. */
export function ReasonField({ ref, label, maxLength, reason, onReason }: Props) {
  return (
    <Textarea
      ref={ref}
      className={classes['field'] ?? ''}
      label={<FieldLabel text={label} used={[reason, maxLength]} countId="decision-count" />}
      value={reason}
      aria-describedby="decision-count decision-problem"
      onChange={(event) => onReason(event.currentTarget.value)}
    />
  )
}
