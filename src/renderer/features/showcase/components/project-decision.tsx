import { useEffect, useRef, useState } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { DecisionFrame } from '../../../components/decision/decision-frame.tsx'
import { ReasonField } from '../../../components/decision/reason-field.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { maxReason } from '../reason-draft.ts'
import { effectsOf, reasonProblem, verbOf } from '../project-words.ts'
import type { ProjectAction } from '../showcase.api.ts'

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

/** The reason of a decision on a project, and what it does. */
export function ProjectDecision(props: Props) {
  const { action, project, reason, onReason, error, sending, onConfirm, onClose } = props
  const [asked, setAsked] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const text = field.current
    text?.setSelectionRange(text.value.length, text.value.length)
    text?.focus()
  }, [])
  const problem = reasonProblem(action, reason)
  const confirm = (): void => {
    setAsked(true)
    if (problem === null && !sending) onConfirm(reason.trim())
  }
  const verb = verbOf(action, project.status)
  return (
    <DecisionFrame
      action={action}
      verb={verb}
      subject={<PlainText text={project.content.title} />}
      label={`${verb} ${project.content.title}`}
      effects={effectsOf(action, project)}
      error={error}
      problem={problem}
      asked={asked}
      sending={sending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ReasonField
        ref={field}
        label={action === 'approved' ? 'Note, kept in the desk, optional' : 'Reason, kept in the desk'}
        most={maxReason}
        reason={reason}
        onReason={onReason}
      />
    </DecisionFrame>
  )
}
