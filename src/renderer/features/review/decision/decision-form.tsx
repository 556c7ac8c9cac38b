import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { DecisionFrame } from '../../../components/decision/decision-frame.tsx'
import { ReasonField } from '../../../components/decision/reason-field.tsx'
import { servicesQuery } from '../../services/services.api.ts'
import { effectsOf } from './effects.ts'
import { maxReason, reasonProblem, useOpenReason } from './reason-draft.ts'
import { rememberDock } from './open-dock.ts'
import { templatesQuery } from '../review.api.ts'
import type { ReviewRelease } from '../review.api.ts'
import classes from './decision-form.module.css'
import { TemplatePicker } from './template-picker.tsx'

interface Props {
  action: ReviewAction
  release: ReviewRelease
  /** The name under which it is decided. */
  reviewer: string
  /** What was seen of the examples, which goes with the decision. */
  observation: Observation | null
  reason: string
  onReason: (reason: string) => void
  error: unknown
  sending: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
}

const none: readonly CannedReason[] = []
const verbs = { approved: 'Approve', rejected: 'Reject', revoked: 'Revoke' } as const

/** What is written about a decision on a release, and what it does. */
export function DecisionForm(props: Props) {
  const { action, release, reviewer, observation, reason, onReason, error, sending, onConfirm, onClose } =
    props
  const reasons = useQuery(templatesQuery)
  const undoMs = useQuery(servicesQuery).data?.undoMs ?? null
  const known = reasons.data !== undefined || reasons.error !== null
  const offered = reasons.data?.items.filter((canned) => canned.action === action) ?? none
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
  const problem = nameProblem ?? reasonProblem(reason)
  const confirm = (): void => {
    setAsked(true)
    if (problem === null && !sending) onConfirm(reason.trim())
  }
  const type = (text: string): void => {
    onReason(`${reason}${reason === '' || /\s$/.test(reason) ? '' : ' '}${text}`)
    field.current?.focus()
  }
  useOpenReason(release.id, action)
  return (
    <DecisionFrame
      action={action}
      subject={`${release.name} ${release.version}`}
      label={`${verbs[action]} ${release.name} ${release.version}`}
      reasons={
        <TemplatePicker
          ref={first}
          action={action}
          reasons={offered}
          known={known}
          reason={reason}
          onReason={onReason}
          onText={type}
          onEdit={() => rememberDock({ releaseId: release.id, action })}
        />
      }
      effects={effectsOf(action, release, { reviewer, observation, undoMs })}
      error={error}
      problem={problem}
      asked={asked}
      sending={sending}
      onConfirm={confirm}
      onClose={onClose}
    >
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
      <ReasonField
        ref={field}
        label={action === 'approved' ? 'Notes, which become public' : `Notes to ${release.owner.publisher}`}
        most={maxReason}
        reason={reason}
        onReason={onReason}
      />
    </DecisionFrame>
  )
}
