import { Button, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { Keycap } from '../../../components/keycap.tsx'
import { useActions } from '../../../lib/actions.ts'
import { asApiError } from '../../../lib/api-error.ts'
import { countCodePoints } from '../../../lib/code-points.ts'
import { formatCount } from '../../../lib/format.ts'
import { effectsOf } from '../effects.ts'
import { maxNotes, notesProblem } from '../notes.ts'
import classes from './decision-form.module.css'
import { Reasons } from './reasons.tsx'

const looks = {
  approved: { verb: 'Approve', Icon: IconCircleCheck, color: 'harbour' },
  rejected: { verb: 'Reject', Icon: IconCircleX, color: 'red' },
  revoked: { verb: 'Revoke', Icon: IconBan, color: 'red' },
} as const

interface Props {
  action: ReviewAction
  release: DeskRelease
  notes: string
  onNotes: (notes: string) => void
  error: unknown
  sending: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** The open dock: reasons, notes, and what this does. */
export function DecisionForm({ action, release, notes, onNotes, error, sending, onConfirm, onClose }: Props) {
  const { verb, Icon, color } = looks[action]
  const [name, setName] = useState('')
  const [asked, setAsked] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const text = field.current
    text?.setSelectionRange(text.value.length, text.value.length)
    ;(first.current ?? text)?.focus()
  }, [])

  const nameProblem =
    action === 'revoked' && name !== release.name ? `Type ${release.name} to revoke it.` : null
  const problem = nameProblem ?? notesProblem(notes)
  const confirm = (): void => {
    setAsked(true)
    if (problem === null && !sending) onConfirm(notes.trim())
  }
  useActions([
    {
      id: 'confirm',
      label: `confirm: ${verb.toLowerCase()}`,
      group: 'Decide',
      keys: ['mod+Enter'],
      inFields: true,
      run: confirm,
    },
    {
      id: 'close',
      label: 'close, keep the notes',
      group: 'Decide',
      keys: ['Escape'],
      inFields: true,
      keysOnly: true,
      run: onClose,
    },
  ])
  return (
    <form
      className={classes['form']}
      aria-label={`${verb} ${release.name} ${release.version}`}
      onSubmit={(event) => {
        event.preventDefault()
        confirm()
      }}
    >
      <header className={classes['head']}>
        <Icon size={16} stroke={1.75} aria-hidden data-tone={action} />
        <h2>
          {verb} {release.name} {release.version}
        </h2>
        <p>
          reading goes on above: <Keycap keys="alt+ArrowUp" /> <Keycap keys="alt+ArrowDown" />
        </p>
      </header>
      <div className={classes['columns']} data-action={action}>
        {action === 'rejected' && <Reasons ref={first} notes={notes} onNotes={onNotes} />}
        {action === 'revoked' && (
          <TextInput
            ref={first}
            label="Type the name to revoke it"
            classNames={{ input: classes['mono'] ?? '' }}
            value={name}
            spellCheck={false}
            autoComplete="off"
            error={asked ? nameProblem : null}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <div className={classes['notes']}>
          <div className={classes['label']}>
            <label htmlFor="decision-notes">
              {action === 'approved' ? 'Notes, which become public' : `Notes to ${release.owner.publisher}`}
            </label>
            <span id="decision-count">
              {formatCount(countCodePoints(notes.trim()))} of {formatCount(maxNotes)}
            </span>
          </div>
          <Textarea
            id="decision-notes"
            ref={field}
            className={classes['text'] ?? ''}
            value={notes}
            aria-describedby="decision-count decision-problem"
            onChange={(event) => onNotes(event.currentTarget.value)}
          />
        </div>
        <div className={classes['effects']}>
          <h3>What this does</h3>
          {effectsOf(action, release).map((effect) => (
            <p key={effect}>{effect}</p>
          ))}
          <p id="decision-problem" className={classes['problem']} role="alert">
            {error !== null && (
              <>
                <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> {asApiError(error).message} Your
                notes are kept.
              </>
            )}
            {error === null && asked && problem}
          </p>
          <div className={classes['actions']}>
            <Button
              type="submit"
              variant="filled"
              color={color}
              loading={sending}
              aria-disabled={problem !== null}
              aria-describedby="decision-problem"
              rightSection={<Keycap keys="mod+Enter" quiet />}
            >
              {verb}
            </Button>
            <Button onClick={onClose} rightSection={<Keycap keys="Escape" quiet />}>
              Cancel
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}
