import { ActionIcon, TextInput, Textarea, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import {
  maxTemplateLabelCharacters,
  maxTemplateTextCharacters,
} from '../../../../shared/contracts/desk-decisions.ts'
import { Keycap } from '../../../components/form/keycap.tsx'
import { templateProblem } from './templates.ts'
import type { DraftTemplate } from './templates.ts'
import { texts } from '../review.texts.ts'
import classes from './template-editor.module.css'

interface Props {
  template: DraftTemplate
  number: number
  isFirst: boolean
  isLast: boolean
  showProblems: boolean
  onChange: (change: { label?: string; sentence?: string }) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

/** One template: its label and its text. Alt with an arrow key moves it. */
export function TemplateEditor({
  template,
  number,
  isFirst,
  isLast,
  showProblems,
  onChange,
  onMove,
  onRemove,
}: Props) {
  const problem = showProblems ? templateProblem(template) : null
  const name = texts.templates.name(template.label.trim(), number)
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || step === 0) return
    event.preventDefault()
    event.stopPropagation()
    onMove(step)
  }
  return (
    // The row handles the keys of its fields and buttons, which take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={classes['template']} data-template={template.key} onKeyDown={press}>
      <span className={classes['number']}>{number <= 9 && <Keycap keys={String(number)} quiet />}</span>
      <TextInput
        data-part="label"
        aria-label={texts.templates.labelOf(number)}
        placeholder={texts.templates.label}
        maxLength={maxTemplateLabelCharacters}
        value={template.label}
        error={problem?.label}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <Textarea
        data-part="sentence"
        aria-label={texts.templates.textOf(number)}
        placeholder={texts.templates.text}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={maxTemplateTextCharacters}
        value={template.sentence}
        error={problem?.sentence}
        onChange={(event) => onChange({ sentence: event.currentTarget.value })}
      />
      <span className={classes['buttons']}>
        <Tooltip label={texts.templates.up}>
          <ActionIcon
            data-part="up"
            aria-label={texts.templates.moveUp(name)}
            aria-disabled={isFirst}
            onClick={() => onMove(-1)}
          >
            <IconArrowUp size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={texts.templates.down}>
          <ActionIcon
            data-part="down"
            aria-label={texts.templates.moveDown(name)}
            aria-disabled={isLast}
            onClick={() => onMove(1)}
          >
            <IconArrowDown size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={texts.templates.remove}>
          <ActionIcon data-remove aria-label={texts.templates.removeOne(name)} onClick={onRemove}>
            <IconTrash size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </span>
    </li>
  )
}
