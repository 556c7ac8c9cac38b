import { Textarea } from '@mantine/core'
import type { Ref } from 'react'
import { countCodePoints } from '../../shared/text.ts'
import { formatCount } from '../lib/format.ts'
import classes from './decision-notes.module.css'

interface Props {
  ref: Ref<HTMLTextAreaElement>
  label: string
  most: number
  notes: string
  onNotes: (notes: string) => void
}

/** What is written about a decision, and how much of it there may be. */
export function DecisionNotes({ ref, label, most, notes, onNotes }: Props) {
  return (
    <div className={classes['notes']}>
      <div className={classes['label']}>
        <label htmlFor="decision-notes">{label}</label>
        <span id="decision-count">
          {formatCount(countCodePoints(notes.trim()))} of {formatCount(most)}
        </span>
      </div>
      <Textarea
        id="decision-notes"
        ref={ref}
        className={classes['text'] ?? ''}
        value={notes}
        aria-describedby="decision-count decision-problem"
        onChange={(event) => onNotes(event.currentTarget.value)}
      />
    </div>
  )
}
