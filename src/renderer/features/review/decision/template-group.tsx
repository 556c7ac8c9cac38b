import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { maxCannedReasons } from '../../../../shared/contracts/desk-decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { plural } from '../../../lib/format.ts'
import { moveTemplate } from './templates.ts'
import type { DraftTemplate } from './templates.ts'
import { TemplateEditor } from './template-editor.tsx'
import classes from './template-group.module.css'

const titles = { approved: 'Approve', rejected: 'Reject', revoked: 'Revoke' } as const

interface Props {
  action: ReviewAction
  draft: readonly DraftTemplate[]
  /** Whether it was tried to save, so that what is missing is said. */
  asked: boolean
  onDraft: (draft: DraftTemplate[]) => void
}

/** The reasons of one decision, in their order. */
export function TemplateGroup({ action, draft, asked, onDraft }: Props) {
  const group = useRef<HTMLElement>(null)
  // After a change the focus goes where a person expects it: to the new field, the moved row, the neighbour.
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    group.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = null
  })

  const own = draft.filter((reason) => reason.action === action)
  const isFull = draft.length >= maxCannedReasons
  const add = (): void => {
    if (isFull) return
    const key = Math.max(-1, ...draft.map((reason) => reason.key)) + 1
    onDraft([...draft, { key, action, label: '', sentence: '' }])
    wanted.current = `[data-reason="${key}"] input`
  }
  const remove = (index: number): void => {
    const key = own[index]?.key
    onDraft(draft.filter((reason) => reason.key !== key))
    const neighbour = own[index + 1] ?? own[index - 1]
    wanted.current = neighbour === undefined ? '[data-add]' : `[data-reason="${neighbour.key}"] [data-remove]`
  }
  const move = (key: number, step: 1 | -1): void => {
    onDraft(moveTemplate(draft, key, step))
    const active = document.activeElement
    const part = active instanceof HTMLElement ? active.dataset['part'] : undefined
    if (part !== undefined) wanted.current = `[data-reason="${key}"] [data-part="${part}"]`
  }
  useActions([
    {
      id: `add-${action}`,
      label: `add a reason: ${titles[action].toLowerCase()}`,
      group: 'Decide',
      run: add,
    },
  ])
  return (
    <section ref={group} className={classes['group']} data-reasons={action} aria-label={titles[action]}>
      <header>
        <h2>{titles[action]}</h2>
        <span>{plural(own.length, 'reason')}</span>
        <Button
          size="sm"
          data-add
          aria-disabled={isFull}
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={add}
        >
          Add a reason
        </Button>
      </header>
      {isFull && (
        <p className={classes['none']}>There are {maxCannedReasons} reasons; that is all there can be.</p>
      )}
      {own.length === 0 && <p className={classes['none']}>None: the notes begin empty.</p>}
      <ol>
        {own.map((reason, index) => (
          <TemplateEditor
            key={reason.key}
            reason={reason}
            number={index + 1}
            isFirst={index === 0}
            isLast={index === own.length - 1}
            asked={asked}
            onChange={(change) =>
              onDraft(draft.map((other) => (other.key === reason.key ? { ...other, ...change } : other)))
            }
            onMove={(step) => move(reason.key, step)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
    </section>
  )
}
