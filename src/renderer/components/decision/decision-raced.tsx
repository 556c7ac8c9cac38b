import { Button } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useActions } from '../../lib/keys/actions.ts'
import { CopyButton } from '../form/copy-button.tsx'
import classes from './decision-raced.module.css'
import { Keycap } from '../form/keycap.tsx'
import { Notice } from '../feedback/notice.tsx'
import { PlainText } from '../text/plain-text.tsx'

interface Props {
  /** Who decided what, and when. */
  title: ReactNode
  /** The reason of the decision that came first, if it has one. */
  theirReason: string | null
  /** What can be done about it. */
  children?: ReactNode
  /** The reason that was written here and not sent. */
  ownReason: string
  /** What comes next: `Next release`; null where nothing is left. */
  next: string | null
  onNext: () => void
  onClose: () => void
}

/** Another decision came first: who, when and why; the reason that was not sent is kept. */
export function DecisionRaced({ title, theirReason, children, ownReason, next, onNext, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useActions([
    {
      id: 'close',
      label: 'close, keep the notes',
      group: 'Decide',
      keys: ['Escape'],
      inFields: true,
      run: onClose,
    },
  ])
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className={classes['box']} tabIndex={-1}>
      <Notice
        tone="note"
        icon={IconUserCheck}
        role="alert"
        // The alert is read when it appears; what counts down in it is not read again.
        title={<span aria-live="off">{title}</span>}
        actions={
          <>
            {ownReason.trim() !== '' && <CopyButton size="sm" label="Copy my notes" text={ownReason} />}
            {next !== null && (
              <Button size="sm" variant="filled" onClick={onNext} rightSection={<Keycap keys="j" quiet />}>
                {next}
              </Button>
            )}
            <Button size="sm" onClick={onClose} rightSection={<Keycap keys="Escape" quiet />}>
              Close
            </Button>
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
          {ownReason.trim() !== '' && 'Your notes were not sent; they are kept here until you leave.'}
        </p>
      </Notice>
    </div>
  )
}
