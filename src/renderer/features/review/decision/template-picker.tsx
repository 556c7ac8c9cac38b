import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { KeyboardEvent, Ref } from 'react'
import { useLocation } from 'wouter'
import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { toggleTemplate } from './templates.ts'
import classes from './template-picker.module.css'

interface Props {
  ref: Ref<HTMLInputElement>
  action: ReviewAction
  reasons: readonly CannedReason[]
  /** Whether the list has been read, or could not be. */
  known: boolean
  reason: string
  onReason: (reason: string) => void
  /** A letter was typed that belongs in the reason. */
  onText: (text: string) => void
  onEdit: () => void
}

/** Canned reasons to begin with. Digits tick, arrows walk, Tab goes on to the text box, and so does text. */
export function TemplatePicker({ ref, action, reasons, known, reason, onReason, onText, onEdit }: Props) {
  const [, navigate] = useLocation()
  const [reached, setReached] = useState(0)
  // A sentence that was edited since is not found in the text any more, and its box stays ticked.
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isTicked = (sentence: string): boolean => ticked.get(sentence) ?? reason.includes(sentence)
  const toggle = (index: number): void => {
    const sentence = reasons[index]?.sentence
    if (sentence === undefined) return
    const next = !isTicked(sentence)
    setTicked(new Map(ticked).set(sentence, next))
    if (next !== reason.includes(sentence)) onReason(toggleTemplate(reason, sentence))
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (digit !== null) toggle(digit)
    else if (step !== 0 && event.target instanceof HTMLInputElement) {
      const next = (reached + step + reasons.length) % reasons.length
      setReached(next)
      event.currentTarget.querySelectorAll('input')[next]?.focus()
    } else if (event.key.length === 1 && event.key !== ' ') onText(event.key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const edit = (): void => {
    onEdit()
    navigate(`/reasons/${action}`)
  }
  useActions([{ id: 'edit-reasons', label: 'edit reasons…', group: 'Decide', run: edit }])
  return (
    // Keys of the whole group, whose members are what takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset className={classes['reasons']} onKeyDown={press}>
      <legend>Reasons to start from</legend>
      <button type="button" className={classes['edit']} onClick={edit}>
        Edit reasons…
      </button>
      <div className={classes['list']}>
        {reasons.map(({ label, sentence }, index) => (
          // Two reasons may have one sentence.
          // oxlint-disable-next-line react/no-array-index-key
          <div
            key={`${index} ${sentence}`}
            className={classes['reason']}
            data-ticked={isTicked(sentence) || undefined}
          >
            <Checkbox
              ref={index === 0 ? ref : undefined}
              tabIndex={index === reached ? 0 : -1}
              label={label}
              checked={isTicked(sentence)}
              onFocus={() => setReached(index)}
              onChange={() => toggle(index)}
            />
            {index < 9 && <span aria-hidden>{index + 1}</span>}
          </div>
        ))}
        {known && reasons.length === 0 && <p className={classes['none']}>None yet.</p>}
      </div>
    </fieldset>
  )
}
