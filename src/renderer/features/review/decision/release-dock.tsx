import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { DockFrame } from '../../../components/decision/dock-frame.tsx'
import { useConfirmedCapabilities } from './confirmed-capabilities.ts'
import { decisionToResume, useReasonDraft, writeReason } from './reason-draft.ts'
import { templatesQuery } from '../review.api.ts'
import type { ReviewRelease } from '../review.api.ts'
import { useRuns } from '../runs/runs.ts'
import { reportDecided, useDecision, wasMade } from './use-decision.ts'
import { DecisionForm } from './decision-form.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { DecisionConflict } from './decision-conflict.tsx'

interface Props {
  release: ReviewRelease
  me: DeskPerson
  hasNext: boolean
  onNext: () => void
}

/** Where a release is decided: the buttons, the form, or a conflict with another decision. */
export function ReleaseDock({ release, me, hasNext, onNext }: Props) {
  const [open, setOpen] = useState<ReviewAction | null>(() => reopened(release))
  const reason = useReasonDraft(release.id, open ?? 'rejected')
  const { confirmed } = useConfirmedCapabilities(release)
  const decide = useDecision(release)
  const { observation } = useRuns(release)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const dock = useRef<HTMLElement>(null)
  // The next release may be another one when the answer to a decision arrives.
  const goOn = useRef(() => {})
  useEffect(() => {
    goOn.current = hasNext ? onNext : () => dock.current?.focus()
  })
  // Loaded in advance, so that a digit can select a template right after the dock is opened.
  useQuery(templatesQuery)
  useEffect(() => decisionToResume.set(null), [])

  const begin = (action: ReviewAction): void => {
    setOpener(document.activeElement instanceof HTMLElement ? document.activeElement : null)
    decide.reset()
    setOpen(action)
  }
  const close = (): void => {
    setOpen(null)
    if (decide.isError) decide.reset()
    if (opener?.isConnected === true) opener.focus()
    else dock.current?.focus()
  }
  const confirm = (text: string, publishReason: boolean): void => {
    if (open === null) return
    decide.mutate(
      {
        action: open,
        reason: text,
        growthSeen: confirmed,
        observation,
        publishReason: open === 'revoked' && publishReason,
      },
      {
        onSuccess() {
          // Closed synchronously, so that the next key press does not end up in the reason.
          flushSync(() => setOpen(null))
          goOn.current()
        },
      },
    )
  }
  const canDecide = release.status === (open === 'revoked' ? 'approved' : 'pending') && release.held === null
  const isMade = wasMade(decide, release, me)
  if (isMade && open !== null) setOpen(null)
  const raced = open !== null && !canDecide && !decide.isPending && !decide.isSuccess
  useEffect(() => {
    if (decide.isSuccess && open === null) decide.reset()
  }, [decide, open])
  const finishMade = useEffectEvent(() => {
    if (release.held === null && decide.variables !== undefined)
      reportDecided(release, decide.variables.action)
    decide.reset()
    goOn.current()
  })
  useEffect(() => {
    if (isMade) finishMade()
  }, [isMade])

  return (
    <DockFrame ref={dock} open={open !== null}>
      {raced ? (
        <DecisionConflict
          release={release}
          me={me}
          reason={reason}
          hasNext={hasNext}
          onNext={onNext}
          onClose={close}
        />
      ) : open === null ? (
        <DecisionButtons release={release} me={me.id} onBegin={begin} />
      ) : (
        <DecisionForm
          key={open}
          action={open}
          release={release}
          reviewer={me.name ?? me.subject}
          observation={observation}
          reason={reason}
          onReason={(next) => writeReason(release.id, open, next)}
          error={decide.error}
          sending={decide.isPending}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </DockFrame>
  )
}

/** The decision that was open when the templates were edited from here. */
function reopened({ id, status, held }: ReviewRelease): ReviewAction | null {
  const decision = decisionToResume.get()
  if (decision?.releaseId !== id) return null
  const required = decision.action === 'revoked' ? 'approved' : 'pending'
  return status === required && held === null ? decision.action : null
}
