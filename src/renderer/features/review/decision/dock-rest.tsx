import { Button } from '@mantine/core'
import { IconArrowBackUp, IconBan, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { DockLine } from '../../../components/decision/dock-frame.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { heldSubject, secondsLeft, undoHeld } from '../../../lib/server/held.ts'
import type { Held } from '../../../lib/server/held.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { useStore } from '../../../lib/state/store.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { effectAtRest } from './effects.ts'
import { useConfirmedCapabilities } from './confirmed-capabilities.ts'
import type { ReviewRelease } from '../review.api.ts'
import { ConfirmCapabilities } from './confirm-capabilities.tsx'

interface Props {
  release: ReviewRelease
  me: number
  onBegin: (action: ReviewAction) => void
}

const why = 'approve-refused'

const selfApprovalWords = 'You published it: approving it makes public that you approved your own release.'

/** The dock while nothing is being decided here: what a decision would do, or what it waits for. */
export function DockRest({ release, me, onBegin }: Props) {
  const line = useRef<HTMLDivElement>(null)
  const { growth, settled } = useConfirmedCapabilities(release)
  // How often an approval was asked for that waits for the tick.
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (asked > 0) line.current?.querySelector('input')?.focus()
  }, [asked])
  const pending = release.status === 'pending'
  const lost = pending && (release.package === 'missing' || release.package === 'changed')
  const held = pending ? release.held : null
  const forbidden = pending && release.selfApproval === 'never'
  const approve = (): void => {
    if (lost || held !== null || forbidden) return
    if (settled) onBegin('approved')
    else setAsked(asked + 1)
  }
  const reject = (): void => {
    if (held === null) onBegin('rejected')
  }
  useActions(actionsFor(release, { approve, reject, revoke: () => onBegin('revoked') }))
  return (
    <DockLine
      ref={line}
      trouble={lost}
      effect={
        held !== null ? (
          <HeldLine held={held} me={me} />
        ) : lost ? (
          <p id={why}>The package is {release.package}. Nothing can be approved that nobody can download.</p>
        ) : forbidden ? (
          <p id={why}>
            You published this release, and publishers may not approve their own releases here. Another
            administrator has to approve it.
          </p>
        ) : growth !== null ? (
          <>
            <ConfirmCapabilities release={release} id={why} />
            {asked > 0 && !settled && <p role="alert">Tick it first; then it can be approved.</p>}
          </>
        ) : (
          <p>
            {effectAtRest(release)}
            {pending && release.selfApproval === 'allowed' && ` ${selfApprovalWords}`}
          </p>
        )
      }
    >
      {held?.byId === me && <UndoButton releaseId={release.id} />}
      {pending && held?.byId !== me && (
        <>
          <Button
            aria-disabled={held !== null}
            aria-describedby={held === null ? undefined : why}
            onClick={reject}
            leftSection={<IconCircleX size={16} stroke={1.75} />}
            rightSection={<Keycap keys="r" quiet />}
          >
            Reject…
          </Button>
          <Button
            variant="filled"
            aria-disabled={lost || held !== null || forbidden || !settled}
            aria-describedby={lost || held !== null || forbidden || !settled ? why : undefined}
            onClick={approve}
            leftSection={<IconCircleCheck size={16} stroke={1.75} />}
            rightSection={<Keycap keys="a" quiet />}
          >
            Approve…
          </Button>
        </>
      )}
      {release.status === 'approved' && (
        <Button
          onClick={() => onBegin('revoked')}
          leftSection={<IconBan size={16} stroke={1.75} />}
          rightSection={<Keycap keys="x" quiet />}
        >
          Revoke…
        </Button>
      )}
    </DockLine>
  )
}

/** Somebody has decided, and the server waits. */
function HeldLine({ held, me }: { held: Held; me: number }) {
  const now = useNow(250)
  const seconds = secondsLeft(held, now)
  return (
    <p id={why}>
      <b>
        {heldSubject(held, me)}
        {seconds > 0 && ` in ${seconds} s`}.
      </b>{' '}
      {held.byId === me
        ? 'Until then it can be taken back.'
        : 'It can be decided here only if that is taken back.'}
    </p>
  )
}

function UndoButton({ releaseId }: { releaseId: number }) {
  const undo = useStore(undoHeld)
  return (
    <Button
      onClick={() => undo(releaseId)}
      leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
      rightSection={<Keycap keys="z" quiet />}
    >
      Undo
    </Button>
  )
}

interface Runs {
  approve: () => void
  reject: () => void
  revoke: () => void
}

function actionsFor(
  { name, version, status, held, selfApproval, package: bytes }: ReviewRelease,
  runs: Runs,
): Action[] {
  const one = (id: ReviewAction, verb: string, key: string, run: () => void): Action => ({
    id: `decide-${id}`,
    label: `${verb} ${name} ${version}…`,
    group: 'Decide',
    keys: [key],
    run,
  })
  if (status === 'approved') return [one('revoked', 'revoke', 'x', runs.revoke)]
  if (status !== 'pending' || held !== null) return []
  const lost = bytes === 'missing' || bytes === 'changed'
  return [
    ...(lost || selfApproval === 'never' ? [] : [one('approved', 'approve', 'a', runs.approve)]),
    one('rejected', 'reject', 'r', runs.reject),
  ]
}
