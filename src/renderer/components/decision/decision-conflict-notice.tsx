import { IconUserCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { ActionButton } from '../form/action-button.tsx'
import { cancelKeys, useActions } from '../../lib/keys/actions.ts'
import { CopyButton } from '../form/copy-button.tsx'
import classes from './decision-conflict-notice.module.css'
import { Notice } from '../feedback/notice.tsx'
import { PlainText } from '../text/plain-text.tsx'

interface Props {
  /** Who decided what, and when. */
  title: ReactNode
  /** The reason of the decision that came first, or null. */
  theirReason: string | null
  /** What can be done about it. */
  children?: ReactNode
  /** The reason that was written here and not sent. */
  ownReason: string
  /** Label of the next step, `Next release`; null if nothing is left. */
  next: string | null
  onNext: () => void
  onClose: () => void
}

/** Shown when another reviewer decided first: who, when and why. A reason that was not sent is kept. */
export function DecisionConflictNotice({
  title,
  theirReason,
  children,
  ownReason,
  next,
  onNext,
  onClose,
}: Props) {
  const box = useRef<HTMLDivElement>(null)
  useActions([{ ...cancelKeys, id: 'close', label: 'close the notice', run: onClose }])
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className={classes['box']} tabIndex={-1}>
      <Notice
        tone="note"
        icon={IconUserCheck}
        role="alert"
        // The alert is announced when it appears; its countdown must not announce it again.
        title={<span aria-live="off">{title}</span>}
        actions={
          <>
            {ownReason.trim() !== '' && <CopyButton size="sm" label="Copy my notes" text={ownReason} />}
            {next !== null && (
              <ActionButton size="sm" variant="filled" onClick={onNext} keys="j">
                {next}
              </ActionButton>
            )}
            <ActionButton size="sm" onClick={onClose} keys="Escape">
              Close
            </ActionButton>
          </>
        }
      >
        <p>
          {theirReason !== null && (
            <>
              “<PlainText text={theirReason} />”{' '}
            </>
          )}
          {children}
          {ownReason.trim() !== '' && 'Your notes were not sent. Copy them before you close this notice.'}
        </p>
      </Notice>
    </div>
  )
}
