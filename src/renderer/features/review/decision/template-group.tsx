import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { maxCannedReasons } from '../../../../shared/contracts/desk-decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { moveTemplate } from './templates.ts'
import type { DraftTemplate } from './templates.ts'
import { TemplateEditor } from './template-editor.tsx'
import { texts } from '../review.texts.ts'
import classes from './template-group.module.css'

const titles = texts.decision.verbs

interface Props {
  action: ReviewAction
  draft: readonly DraftTemplate[]
  /** Whether saving was attempted, after which missing texts are reported. */
  showProblems: boolean
  onDraft: (draft: DraftTemplate[]) => void
}

/** The templates for one decision, in order. */
export function TemplateGroup({ action, draft, showProblems, onDraft }: Props) {
  const group = useRef<HTMLElement>(null)
  // The element to focus after a change: the new field, the moved row, or the neighbor of a removed one.
  const nextFocus = useRef<string | null>(null)
  useEffect(() => {
    if (nextFocus.current === null) return
    group.current?.querySelector<HTMLElement>(nextFocus.current)?.focus()
    nextFocus.current = null
  })

  const own = draft.filter((template) => template.action === action)
  const isFull = draft.length >= maxCannedReasons
  const add = (): void => {
    if (isFull) return
    const key = Math.max(-1, ...draft.map((template) => template.key)) + 1
    onDraft([...draft, { key, action, label: '', sentence: '' }])
    nextFocus.current = `[data-template="${key}"] input`
  }
  const remove = (index: number): void => {
    const key = own[index]?.key
    onDraft(draft.filter((template) => template.key !== key))
    const neighbor = own[index + 1] ?? own[index - 1]
    nextFocus.current =
      neighbor === undefined ? '[data-add]' : `[data-template="${neighbor.key}"] [data-remove]`
  }
  const move = (key: number, step: 1 | -1): void => {
    onDraft(moveTemplate(draft, key, step))
    const active = document.activeElement
    const part = active instanceof HTMLElement ? active.dataset['part'] : undefined
    if (part !== undefined) nextFocus.current = `[data-template="${key}"] [data-part="${part}"]`
  }
  useActions([
    {
      id: `add-${action}`,
      label: texts.templates.addCommand(titles[action].toLowerCase()),
      group: 'Decide',
      run: add,
    },
  ])
  return (
    <section ref={group} className={classes['group']} data-templates={action} aria-label={titles[action]}>
      <header>
        <h2>{titles[action]}</h2>
        <span data-text="note">{texts.templates.count(own.length)}</span>
        <ActionButton size="sm" data-add aria-disabled={isFull} icon={IconPlus} onClick={add}>
          {texts.templates.add}
        </ActionButton>
      </header>
      {isFull && (
        <p className={classes['none']} data-text="note">
          {texts.templates.full(maxCannedReasons)}
        </p>
      )}
      {own.length === 0 && (
        <p className={classes['none']} data-text="note">
          {texts.templates.noneInGroup}
        </p>
      )}
      <ol>
        {own.map((template, index) => (
          <TemplateEditor
            key={template.key}
            template={template}
            number={index + 1}
            isFirst={index === 0}
            isLast={index === own.length - 1}
            showProblems={showProblems}
            onChange={(change) =>
              onDraft(draft.map((other) => (other.key === template.key ? { ...other, ...change } : other)))
            }
            onMove={(step) => move(template.key, step)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
    </section>
  )
}
