import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import { maxReasonLength } from '../../../../shared/contracts/decisions.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { DecisionFrame } from '../../../components/decision/decision-frame.tsx'
import { ReasonField } from '../../../components/decision/reason-field.tsx'
import { servicesQuery } from '../../services/services.api.ts'
import { effectsOf } from './decision-effects.ts'
import { decisionToResume, reasonProblem, useOpenReason } from './reason-draft.ts'
import { templatesQuery } from '../review.api.ts'
import type { ReviewRelease } from '../review.api.ts'
import { texts } from '../review.texts.ts'
import { TemplatePicker } from './template-picker.tsx'

interface Props {
  action: ReviewAction
  release: ReviewRelease
  /** The name of the person who decides. */
  reviewer: string
  /** The test runs, sent with the decision. */
  observation: Observation | null
  reason: string
  onReason: (reason: string) => void
  error: unknown
  sending: boolean
  onConfirm: (reason: string, publishReason: boolean) => void
  onClose: () => void
}

const none: readonly CannedReason[] = []

/** The form of a decision: templates, the reason, and the effects. */
export function DecisionForm(props: Props) {
  const { action, release, reviewer, observation, reason, onReason, error, sending, onConfirm, onClose } =
    props
  const templates = useQuery(templatesQuery)
  const undoMs = useQuery(servicesQuery).data?.undoMs ?? null
  const isLoaded = templates.data !== undefined || templates.error !== null
  const offered = templates.data?.items.filter((template) => template.action === action) ?? none
  const [name, setName] = useState('')
  const [publishReason, setPublishReason] = useState(true)
  const [attempted, setAttempted] = useState(false)
  const typed = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const focused = useRef(false)
  useEffect(() => {
    // Once, as soon as the templates have been loaded; a revocation starts with its name field, without waiting.
    if (focused.current || (!isLoaded && action !== 'revoked')) return
    focused.current = true
    const text = field.current
    text?.setSelectionRange(text.value.length, text.value.length)
    ;(typed.current ?? first.current ?? text)?.focus()
  }, [isLoaded, action])

  const nameProblem =
    action === 'revoked' && name !== release.name ? texts.decision.typeNameFirst(release.name) : null
  const problem = nameProblem ?? reasonProblem(reason)
  const confirm = (): void => {
    setAttempted(true)
    if (problem === null && !sending) onConfirm(reason.trim(), publishReason)
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
      templates={
        <TemplatePicker
          ref={first}
          action={action}
          templates={offered}
          isLoaded={isLoaded}
          reason={reason}
          onReason={onReason}
          onText={type}
          onEdit={() => decisionToResume.set({ releaseId: release.id, action })}
        />
      }
      effects={effectsOf(action, release, { reviewer, observation, undoMs, publishReason })}
      error={error}
      problem={problem}
      attempted={attempted}
      sending={sending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {action === 'revoked' && (
        <TextInput
          ref={typed}
          label={texts.decision.typeName}
          data-mono
          value={name}
          spellCheck={false}
          autoComplete="off"
          error={attempted ? nameProblem : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <ReasonField
        ref={field}
        label={
          action === 'approved'
            ? texts.decision.publicReason
            : texts.decision.reasonTo(release.owner.publisher)
        }
        maxLength={maxReasonLength}
        reason={reason}
        onReason={onReason}
      />
      {action === 'revoked' && (
        <Checkbox
          size="sm"
          label={texts.decision.publishReason}
          checked={publishReason}
          onChange={(event) => setPublishReason(event.currentTarget.checked)}
        />
      )}
    </DecisionFrame>
  )
}
