import { Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { Keycap } from '../../../components/keycap.tsx'
import { useActions } from '../../../lib/actions.ts'
import { asApiError } from '../../../lib/api-error.ts'
import { effectsOf } from '../effects.ts'
import { notesProblem, useOpenNotes } from '../notes.ts'
import { rememberDock } from '../open-dock.ts'
import { reasonsQuery } from '../review.api.ts'
import type { ReviewRelease } from '../review.api.ts'
import { DecisionNotes } from './decision-notes.tsx'
import classes from './decision-form.module.css'
import { Reasons } from './reasons.tsx'

const looks = {
  approved: { verb: 'Approve', Icon: IconCircleCheck, color: 'harbour' },
  rejected: { verb: 'Reject', Icon: IconCircleX, color: 'red' },
  revoked: { verb: 'Revoke', Icon: IconBan, color: 'red' },
} as const

interface Props {
  action: ReviewAction
  release: ReviewRelease
  /** The name under which it is decided. */
  reviewer: string
  /** What was seen of the examples, which goes with the decision. */
  observation: Observation | null
  notes: string
  onNotes: (notes: string) => void
  error: unknown
  sending: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
}

const none: readonly CannedReason[] = []

/** The open dock: reasons, notes, and what this does. */
export function DecisionForm(props: Props) {
  const { action, release, reviewer, observation, notes, onNotes, error, sending, onConfirm, onClose } = props
  const { verb, Icon, color } = looks[action]
  const reasons = useQuery(reasonsQuery)
  const known = reasons.data !== undefined || reasons.error !== null
  const offered = reasons.data?.items.filter((reason) => reason.action === action) ?? none
  const [name, setName] = useState('')
  const [asked, setAsked] = useState(false)
  const typed = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const begun = useRef(false)
  useEffect(() => {
    // Once, as soon as it is known whether there are reasons; a name can be typed at once.
    if (begun.current || (!known && action !== 'revoked')) return
    begun.current = true
    const text = field.current
    text?.setSelectionRange(text.value.length, text.value.length)
    ;(typed.current ?? first.current ?? text)?.focus()
  }, [known, action])

  const nameProblem =
    action === 'revoked' && name !== release.name ? `Type ${release.name} to revoke it.` : null
  const problem = nameProblem ?? notesProblem(notes)
  const confirm = (): void => {
    setAsked(true)
    if (problem === null && !sending) onConfirm(notes.trim())
  }
  const type = (text: string): void => {
    onNotes(`${notes}${notes === '' || /\s$/.test(notes) ? '' : ' '}${text}`)
    field.current?.focus()
  }
  useFormActions(verb, confirm, onClose)
  useOpenNotes(release.id, action)
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
      <div className={classes['columns']}>
        <Reasons
          ref={first}
          action={action}
          reasons={offered}
          known={known}
          notes={notes}
          onNotes={onNotes}
          onText={type}
          onEdit={() => rememberDock({ releaseId: release.id, action })}
        />
        <div className={classes['writing']}>
          {action === 'revoked' && (
            <TextInput
              ref={typed}
              label="Type the name to revoke it"
              classNames={{ input: classes['mono'] ?? '' }}
              value={name}
              spellCheck={false}
              autoComplete="off"
              error={asked ? nameProblem : null}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          <DecisionNotes
            ref={field}
            label={
              action === 'approved' ? 'Notes, which become public' : `Notes to ${release.owner.publisher}`
            }
            notes={notes}
            onNotes={onNotes}
          />
        </div>
        <div className={classes['effects']}>
          <h3>What this does</h3>
          {effectsOf(action, release, { reviewer, observation }).map((effect) => (
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

function useFormActions(verb: string, confirm: () => void, close: () => void): void {
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
      run: close,
    },
  ])
}
