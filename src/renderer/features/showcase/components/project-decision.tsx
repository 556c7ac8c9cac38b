import { useEffect, useRef, useState } from 'react'
import { maxProjectReason } from '../../../../shared/contracts/desk-projects.ts'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { DecisionFrame } from '../../../components/decision/decision-frame.tsx'
import { ReasonField } from '../../../components/decision/reason-field.tsx'
import { effectsOf, reasonProblem, verbOf } from '../project-effects.ts'
import type { ProjectAction } from '../showcase.api.ts'
import { texts } from '../showcase.texts.ts'

interface Props {
  action: ProjectAction
  project: DeskProject
  reason: string
  onReason: (reason: string) => void
  error: unknown
  sending: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** The form of a decision on a project: its effects and the reason. */
export function ProjectDecision(props: Props) {
  const { action, project, reason, onReason, error, sending, onConfirm, onClose } = props
  const [attempted, setAttempted] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const text = field.current
    text?.setSelectionRange(text.value.length, text.value.length)
    text?.focus()
  }, [])
  const problem = reasonProblem(action, reason)
  const confirm = (): void => {
    setAttempted(true)
    if (problem === null && !sending) onConfirm(reason.trim())
  }
  return (
    <DecisionFrame
      action={action}
      verb={verbOf(action, project.status)}
      subject={project.content.title}
      effects={effectsOf(action, project)}
      error={error}
      problem={problem}
      attempted={attempted}
      sending={sending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ReasonField
        ref={field}
        label={action === 'approved' ? texts.decision.reasonOptional : texts.decision.reason}
        maxLength={maxProjectReason}
        reason={reason}
        onReason={onReason}
      />
    </DecisionFrame>
  )
}
