import {
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconMessageQuestion,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { When } from '../../../components/list/when.tsx'
import { decisionKeys } from '../../../components/decision/decision-keys.ts'
import { DockButton, DockLine } from '../../../components/decision/dock-frame.tsx'
import { beginMessage } from '../../../components/thread/message-draft.ts'
import { heldSubject, secondsLeft, undoHeld } from '../../../lib/server/held-decisions.ts'
import type { Held } from '../../../lib/server/held-decisions.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { useStore } from '../../../lib/state/store.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { summarizeEffect } from './decision-effects.ts'
import { useConfirmedCapabilities } from './confirmed-capabilities.ts'
import type { ReviewRelease } from '../review.api.ts'
import { useWithdrawApproval } from './use-decision.ts'
import { canAsk } from '../sheet/conversation.tsx'
import { ConfirmCapabilities } from './confirm-capabilities.tsx'
import { texts } from '../review.texts.ts'

interface Props {
  release: ReviewRelease
  me: number
  onBegin: (action: ReviewAction) => void
}

const blockedId = 'approve-refused'

/** What a release's dock shows until a decision is begun: its effect or why none can be made, and the buttons. */
export function DecisionButtons({ release, me, onBegin }: Props) {
  const line = useRef<HTMLDivElement>(null)
  const { growth, canApprove } = useConfirmedCapabilities(release)
  const undo = useStore(undoHeld)
  // How many times an approval was attempted without confirming the new capabilities.
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    if (attempts > 0) line.current?.querySelector('input')?.focus()
  }, [attempts])
  const pending = release.status === 'pending'
  const lost =
    pending && (release.package === 'missing' || release.package === 'changed') ? release.package : null
  const held = pending ? release.held : null
  const forbidden = pending && release.selfApproval === 'never'
  const first = pending ? release.firstApproval : null
  const isOwnFirst = first?.byId === me
  const needsAnother = isOwnFirst && release.approvalsNeeded === 2
  const isBlocked = lost !== null || held !== null || forbidden || needsAnother
  const approve = (): void => {
    if (isBlocked) return
    if (canApprove) onBegin('approved')
    else setAttempts(attempts + 1)
  }
  const reject = (): void => {
    if (held === null) onBegin('rejected')
  }
  const revoke = (): void => onBegin('revoked')
  const ask = (): void => beginMessage(release.id)
  const mayAsk = canAsk(release)
  const command = (id: ReviewAction, key: string, run: () => void): Action => ({
    id: `decide-${id}`,
    label: texts.decision.command(texts.decision.verbs[id].toLowerCase(), release.name, release.version),
    group: 'Decide',
    keys: [key],
    run,
  })
  const askCommand: Action = {
    id: 'ask',
    label: texts.conversation.command(release.owner.publisher),
    group: 'Decide',
    keys: [decisionKeys.ask],
    run: ask,
  }
  useActions([
    ...(pending && !isBlocked ? [command('approved', decisionKeys.approve, approve)] : []),
    ...(pending && held === null ? [command('rejected', decisionKeys.reject, reject)] : []),
    ...(mayAsk ? [askCommand] : []),
    ...(release.status === 'approved' ? [command('revoked', decisionKeys.remove, revoke)] : []),
  ])
  return (
    <DockLine
      ref={line}
      blocked={lost !== null}
      effect={
        held !== null ? (
          <HeldLine held={held} me={me} />
        ) : lost !== null ? (
          <p id={blockedId}>{texts.decision.packageLost[lost]}</p>
        ) : forbidden ? (
          <p id={blockedId}>{texts.decision.selfApprovalOff}</p>
        ) : needsAnother ? (
          <p id={blockedId}>
            <FirstApprovalText first={first} /> {texts.decision.needsAnother}
          </p>
        ) : growth !== null ? (
          <>
            {first !== null && (
              <p>
                <FirstApprovalText first={first} />
              </p>
            )}
            <ConfirmCapabilities release={release} id={blockedId} />
            {attempts > 0 && !canApprove && <p role="alert">{texts.newCapabilities.confirmFirst}</p>}
          </>
        ) : (
          <p>
            {first !== null && <FirstApprovalText first={first} />} {summarizeEffect(release)}
            {pending && release.selfApproval === 'allowed' && ` ${texts.decision.selfApproval}`}
          </p>
        )
      }
    >
      {isOwnFirst && held === null && <WithdrawButton release={release} />}
      {held?.byId === me && (
        <DockButton icon={IconArrowBackUp} keys={decisionKeys.undo} onClick={() => undo(release.id)}>
          {texts.decision.undo}
        </DockButton>
      )}
      {mayAsk && (
        <DockButton icon={IconMessageQuestion} keys={decisionKeys.ask} onClick={ask}>
          {texts.conversation.open}
        </DockButton>
      )}
      {pending && held?.byId !== me && (
        <>
          <DockButton
            icon={IconCircleX}
            keys={decisionKeys.reject}
            blockedBy={held === null ? null : blockedId}
            onClick={reject}
          >
            {texts.decision.open.rejected}
          </DockButton>
          <DockButton
            icon={IconCircleCheck}
            keys={decisionKeys.approve}
            filled
            blockedBy={isBlocked || !canApprove ? blockedId : null}
            onClick={approve}
          >
            {texts.decision.open.approved}
          </DockButton>
        </>
      )}
      {release.status === 'approved' && (
        <DockButton icon={IconBan} keys={decisionKeys.remove} onClick={revoke}>
          {texts.decision.open.revoked}
        </DockButton>
      )}
    </DockLine>
  )
}

/** `1 of 2 approvals, by Ilse Verbeek, 14:02.` */
function FirstApprovalText({ first }: { first: NonNullable<ReviewRelease['firstApproval']> }) {
  return (
    <>
      {texts.decision.oneOfTwo(first.approvedBy)}, <When at={first.approvedAt} />.
    </>
  )
}

function WithdrawButton({ release }: { release: ReviewRelease }) {
  const withdraw = useWithdrawApproval(release)
  return (
    <ActionButton loading={withdraw.isPending} onClick={() => withdraw.mutate()} icon={IconArrowBackUp}>
      {texts.decision.withdraw}
    </ActionButton>
  )
}

/** Shown while the release has a held decision. */
function HeldLine({ held, me }: { held: Held; me: number }) {
  const now = useNow(250)
  const seconds = secondsLeft(held, now)
  return (
    <p id={blockedId}>
      <b>{texts.decision.heldIn(heldSubject(held, me), seconds)}.</b>{' '}
      {held.byId === me ? texts.decision.canUndo : texts.decision.heldByOther}
    </p>
  )
}
