import { Button } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Keycap } from '../../../components/keycap.tsx'
import { Notice } from '../../../components/notice.tsx'
import { PlainText } from '../../../components/plain-text.tsx'
import { useActions } from '../../../lib/actions.ts'
import { heldSubject, secondsLeft } from '../../../lib/held.ts'
import { formatAge } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import type { ReviewRelease } from '../review.api.ts'
import classes from './somebody-was-faster.module.css'

interface Props {
  release: ReviewRelease
  me: DeskPerson
  notes: string
  hasNext: boolean
  onNext: () => void
  onClose: () => void
}

/** Another decision came first, or is held: who, when and why; the notes that were not sent stay. */
export function SomebodyWasFaster({ release, me, notes, hasNext, onNext, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const now = useNow(release.held === null ? 5000 : 250)
  const decision = release.held === null ? release.history[0] : undefined
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
        title={<span aria-live="off">{titleOf(release, me, now)}</span>}
        actions={
          <>
            {notes.trim() !== '' && <CopyButton size="sm" label="Copy my notes" text={notes} />}
            {hasNext && (
              <Button size="sm" variant="filled" onClick={onNext} rightSection={<Keycap keys="j" quiet />}>
                Next release
              </Button>
            )}
            <Button size="sm" onClick={onClose} rightSection={<Keycap keys="Escape" quiet />}>
              Close
            </Button>
          </>
        }
      >
        <p>
          {decision !== undefined && (
            <>
              “<PlainText text={decision.reason} />”{' '}
            </>
          )}
          {release.held !== null && 'It can be decided here only if that is taken back. '}
          {notes.trim() !== '' && 'Your notes were not sent; they are kept here until you leave.'}
        </p>
      </Notice>
    </div>
  )
}

/** `Ilse Verbeek rejects this in 7 s`, `Tomáš Novák approved this 40 s ago` */
function titleOf({ held, history, status }: ReviewRelease, me: DeskPerson, now: number): string {
  if (held !== null) {
    const seconds = secondsLeft(held.until, now)
    return `${heldSubject(held, me.id)}${seconds === 0 ? '' : ` in ${seconds} s`}`
  }
  const decision = history[0]
  const who = decision?.decidedBy === (me.name ?? me.subject) ? 'You' : (decision?.decidedBy ?? 'Somebody')
  const age = decision === undefined ? 0 : Math.max(0, now - Date.parse(decision.decidedAt))
  const ago = age < 5000 ? 'a moment ago' : `${formatAge(age)} ago`
  return `${who} ${decision?.action ?? status} this ${ago}`
}
