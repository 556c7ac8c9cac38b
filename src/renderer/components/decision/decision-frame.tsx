import { IconAlertTriangle, IconBan, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from '../form/action-button.tsx'
import { cancelKeys, confirmKeys, useActions } from '../../lib/keys/actions.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import classes from './decision-frame.module.css'
import { Keycap } from '../form/keycap.tsx'
import { PlainText } from '../text/plain-text.tsx'

const variants = {
  approved: { verb: 'Approve', Icon: IconCircleCheck, color: 'harbor', tone: 'ok' },
  rejected: { verb: 'Reject', Icon: IconCircleX, color: 'red', tone: 'bad' },
  revoked: { verb: 'Revoke', Icon: IconBan, color: 'red', tone: 'bad' },
} as const

interface Props {
  action: keyof typeof variants
  /** Replaces the action's verb: `Take down`. */
  verb?: string
  /** What is decided on. */
  subject: string
  /** Templates for the reason, on the left. */
  templates?: ReactNode
  /** The fields. Those that the problem is about refer to `decision-problem` in `aria-describedby`. */
  children: ReactNode
  /** What the decision does, one sentence each. */
  effects: readonly string[]
  /** Why the server refused it, or null. */
  error: unknown
  /** Why it cannot be sent yet, or null. */
  problem: string | null
  /** Whether the person has tried to send it. */
  attempted: boolean
  sending: boolean
  onConfirm: () => void
  onClose: () => void
}

/** The form in a dock: templates, reason, and what the decision does. */
export function DecisionFrame(props: Props) {
  const { action, subject, templates, children, effects, error, problem, attempted } = props
  const { sending, onConfirm, onClose } = props
  const { Icon, color, tone } = variants[action]
  const verb = props.verb ?? variants[action].verb
  useFormActions(verb, onConfirm, onClose)
  return (
    <form
      className={classes['form']}
      aria-label={`${verb} ${subject}`}
      onSubmit={(event) => {
        event.preventDefault()
        onConfirm()
      }}
    >
      <header className={classes['head']}>
        <Icon size={16} stroke={1.75} aria-hidden data-ink={tone} />
        <h2>
          {verb} <PlainText text={subject} />
        </h2>
        <p data-text="note">
          Scroll the page above: <Keycap keys="alt+ArrowUp" /> <Keycap keys="alt+ArrowDown" />
        </p>
      </header>
      <div className={classes['columns']} data-plain={templates === undefined || undefined}>
        {templates}
        <div className={classes['writing']}>{children}</div>
        <div className={classes['effects']}>
          <h3>What this does</h3>
          {effects.map((effect) => (
            <p key={effect}>{effect}</p>
          ))}
          <p id="decision-problem" className={classes['problem']} role="alert">
            {error !== null && (
              <>
                <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> {asApiError(error).message} Your
                notes are kept.
              </>
            )}
            {error === null && attempted && problem}
          </p>
          <div className={classes['actions']}>
            <ActionButton
              type="submit"
              variant="filled"
              color={color}
              loading={sending}
              aria-disabled={problem !== null}
              aria-describedby="decision-problem"
              keys="mod+Enter"
            >
              {verb}
            </ActionButton>
            <ActionButton onClick={onClose} keys="Escape">
              Cancel
            </ActionButton>
          </div>
        </div>
      </div>
    </form>
  )
}

function useFormActions(verb: string, confirm: () => void, close: () => void): void {
  useActions([
    { ...confirmKeys, id: 'confirm', label: `confirm: ${verb.toLowerCase()}`, run: confirm },
    { ...cancelKeys, id: 'close', label: 'close and keep the notes', run: close },
  ])
}
