import { ActionIcon, TextInput, Textarea, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { Keycap } from '../../../components/form/keycap.tsx'
import { reasonProblem } from './templates.ts'
import type { DraftTemplate } from './templates.ts'
import classes from './template-editor.module.css'

interface Props {
  reason: DraftTemplate
  number: number
  isFirst: boolean
  isLast: boolean
  asked: boolean
  onChange: (change: { label?: string; sentence?: string }) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

/** One reason: what the list shows, and the text that it puts into the reason. Alt with an arrow moves it. */
export function TemplateEditor({
  reason,
  number,
  isFirst,
  isLast,
  asked,
  onChange,
  onMove,
  onRemove,
}: Props) {
  const problem = asked ? reasonProblem(reason) : null
  const name = reason.label.trim() === '' ? `reason ${number}` : `“${reason.label.trim()}”`
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || step === 0) return
    event.preventDefault()
    event.stopPropagation()
    onMove(step)
  }
  return (
    // Keys of the whole row, whose fields and buttons are what takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={classes['reason']} data-reason={reason.key} onKeyDown={press}>
      <span className={classes['number']}>{number <= 9 && <Keycap keys={String(number)} quiet />}</span>
      <TextInput
        data-part="label"
        aria-label={`Label of reason ${number}`}
        placeholder="Label"
        maxLength={80}
        value={reason.label}
        error={problem?.label}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <Textarea
        data-part="sentence"
        aria-label={`Sentence of reason ${number}`}
        placeholder="The sentence that the notes begin with"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={500}
        value={reason.sentence}
        error={problem?.sentence}
        onChange={(event) => onChange({ sentence: event.currentTarget.value })}
      />
      <span className={classes['buttons']}>
        <Tooltip label="Up (Alt ↑)">
          <ActionIcon
            data-part="up"
            aria-label={`Move ${name} up`}
            aria-disabled={isFirst}
            onClick={() => onMove(-1)}
          >
            <IconArrowUp size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Down (Alt ↓)">
          <ActionIcon
            data-part="down"
            aria-label={`Move ${name} down`}
            aria-disabled={isLast}
            onClick={() => onMove(1)}
          >
            <IconArrowDown size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Remove">
          <ActionIcon data-remove aria-label={`Remove ${name}`} onClick={onRemove}>
            <IconTrash size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </span>
    </li>
  )
}
