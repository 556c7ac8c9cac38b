import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { KeyboardEvent, Ref } from 'react'
import { useLocation } from 'wouter'
import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { toggleTemplate } from './templates.ts'
import { texts } from '../review.texts.ts'
import classes from './template-picker.module.css'

interface Props {
  ref: Ref<HTMLInputElement>
  action: ReviewAction
  templates: readonly CannedReason[]
  /** Whether loading the list has ended, successfully or not. */
  isLoaded: boolean
  reason: string
  onReason: (reason: string) => void
  /** A character was typed that belongs in the reason. */
  onText: (text: string) => void
  onEdit: () => void
}

/** Templates to insert. Digits toggle, arrow keys move; Tab or typing text continues in the text box. */
export function TemplatePicker({
  ref,
  action,
  templates,
  isLoaded,
  reason,
  onReason,
  onText,
  onEdit,
}: Props) {
  const [, navigate] = useLocation()
  const [active, setActive] = useState(0)
  // A template stays checked when its text was edited afterwards, although the reason no longer contains it.
  const [checked, setChecked] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isChecked = (sentence: string): boolean => checked.get(sentence) ?? reason.includes(sentence)
  const toggle = (index: number): void => {
    const sentence = templates[index]?.sentence
    if (sentence === undefined) return
    const next = !isChecked(sentence)
    setChecked(new Map(checked).set(sentence, next))
    if (next !== reason.includes(sentence)) onReason(toggleTemplate(reason, sentence))
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (digit !== null) toggle(digit)
    else if (step !== 0 && event.target instanceof HTMLInputElement) {
      const next = (active + step + templates.length) % templates.length
      setActive(next)
      event.currentTarget.querySelectorAll('input')[next]?.focus()
    } else if (event.key.length === 1 && event.key !== ' ') {
      // The key that opened the form may still be pressed.
      if (!event.repeat) onText(event.key)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const edit = (): void => {
    onEdit()
    navigate(`/reasons/${action}`)
  }
  useActions([{ id: 'edit-templates', label: texts.templates.editCommand, group: 'Decide', run: edit }])
  return (
    // The group handles the keys of its checkboxes, which take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset className={classes['templates']} onKeyDown={press}>
      <legend>{texts.templates.legend}</legend>
      <div className={classes['edit']}>
        <TextButton inline onClick={edit}>
          {texts.templates.edit}
        </TextButton>
      </div>
      <div className={classes['list']}>
        {templates.map(({ label, sentence }, index) => (
          // Two templates may have the same text.
          // oxlint-disable-next-line react/no-array-index-key
          <div
            key={`${index} ${sentence}`}
            className={classes['template']}
            data-checked={isChecked(sentence) || undefined}
          >
            <Checkbox
              ref={index === 0 ? ref : undefined}
              tabIndex={index === active ? 0 : -1}
              label={label}
              checked={isChecked(sentence)}
              onFocus={() => setActive(index)}
              onChange={() => toggle(index)}
            />
            {index < 9 && (
              <span aria-hidden data-text="note">
                {index + 1}
              </span>
            )}
          </div>
        ))}
        {isLoaded && templates.length === 0 && <p data-text="note">{texts.templates.none}</p>}
      </div>
    </fieldset>
  )
}
