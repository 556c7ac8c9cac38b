import { useState } from 'react'
import type { KeyboardEvent, Ref } from 'react'
import { Checkbox } from '@mantine/core'
import { rejectionReasons, toggleSentence } from '../reasons.ts'
import classes from './reasons.module.css'

interface Props {
  ref: Ref<HTMLInputElement>
  notes: string
  onNotes: (notes: string) => void
}

/** What a rejection often begins with. Digits tick, arrows walk, and Tab goes on to the notes. */
export function Reasons({ ref, notes, onNotes }: Props) {
  const [reached, setReached] = useState(0)
  const toggle = (index: number): void => {
    const reason = rejectionReasons[index]
    if (reason !== undefined) onNotes(toggleSentence(notes, reason.sentence))
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (digit !== null) toggle(digit)
    else if (step !== 0) {
      const next = (reached + step + rejectionReasons.length) % rejectionReasons.length
      setReached(next)
      event.currentTarget.querySelectorAll('input')[next]?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // Keys of the whole group, whose members are what takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset className={classes['reasons']} onKeyDown={press}>
      <legend>Reasons to start from</legend>
      {rejectionReasons.map(({ label, sentence }, index) => (
        <div key={label} className={classes['reason']} data-ticked={notes.includes(sentence) || undefined}>
          <Checkbox
            ref={index === 0 ? ref : undefined}
            tabIndex={index === reached ? 0 : -1}
            label={label}
            checked={notes.includes(sentence)}
            onFocus={() => setReached(index)}
            onChange={() => toggle(index)}
          />
          <span aria-hidden>{index + 1}</span>
        </div>
      ))}
    </fieldset>
  )
}
