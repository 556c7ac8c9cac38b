import { Button } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Keycap } from '../../../components/keycap.tsx'
import { Notice } from '../../../components/notice.tsx'
import { PlainText } from '../../../components/plain-text.tsx'
import { useActions } from '../../../lib/actions.ts'
import { formatAge } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import classes from './somebody-was-faster.module.css'

interface Props {
  release: DeskRelease
  me: DeskPerson
  notes: string
  hasNext: boolean
  onNext: () => void
  onClose: () => void
}

/** Another decision came first: who, when and why; the notes that were not sent stay. */
export function SomebodyWasFaster({ release, me, notes, hasNext, onNext, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const now = useNow(5000)
  const decision = release.history[0]
  useActions([
    {
      id: 'close',
      label: 'close, keep the notes',
      group: 'Decide',
      keys: ['Escape'],
      inFields: true,
      keysOnly: true,
      run: onClose,
    },
  ])
  useEffect(() => box.current?.focus(), [])
  const who = decision?.decidedBy === (me.name ?? me.subject) ? 'You' : (decision?.decidedBy ?? 'Somebody')
  const age = decision === undefined ? 0 : Math.max(0, now - Date.parse(decision.decidedAt))
  const ago = age < 5000 ? 'a moment ago' : `${formatAge(age)} ago`
  return (
    <div ref={box} className={classes['box']} tabIndex={-1}>
      <Notice
        tone="note"
        icon={IconUserCheck}
        role="alert"
        title={`${who} ${decision?.action ?? release.status} this ${ago}`}
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
          {notes.trim() !== '' && 'Your notes were not sent; they are kept here until you leave.'}
        </p>
      </Notice>
    </div>
  )
}
