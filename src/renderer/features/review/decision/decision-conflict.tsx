import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { DecisionConflictNotice } from '../../../components/decision/decision-conflict-notice.tsx'
import { heldSubject, secondsLeft } from '../../../lib/server/held-decisions.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import type { ReviewRelease } from '../review.api.ts'
import { texts } from '../review.texts.ts'

interface Props {
  release: ReviewRelease
  me: DeskPerson
  reason: string
  hasNext: boolean
  onNext: () => void
  onClose: () => void
}

/** Shown when another decision on the release came first or is held. */
export function DecisionConflict({ release, me, reason, hasNext, onNext, onClose }: Props) {
  const now = useNow(release.held === null ? 5000 : 250)
  const decision = release.held === null ? release.history[0] : undefined
  return (
    <DecisionConflictNotice
      title={titleOf(release, me, now)}
      theirReason={decision?.reason ?? null}
      ownReason={reason}
      next={hasNext ? texts.decision.nextRelease : null}
      onNext={onNext}
      onClose={onClose}
    >
      {release.held !== null && `${texts.decision.heldByOther} `}
    </DecisionConflictNotice>
  )
}

/** `Ilse Verbeek's rejection takes effect in 7 s`, `Tomáš Novák approved this 40 s ago` */
function titleOf({ held, history, status }: ReviewRelease, me: DeskPerson, now: number): string {
  if (held !== null) {
    return texts.decision.heldIn(heldSubject(held, me.id), secondsLeft(held, now))
  }
  const decision = history[0]
  const who =
    decision?.decidedBy === (me.name ?? me.subject)
      ? texts.decision.you
      : (decision?.decidedBy ?? texts.decision.anotherReviewer)
  const age = decision === undefined ? 0 : Math.max(0, now - Date.parse(decision.decidedAt))
  const when = age < 5000 ? texts.decision.momentAgo : texts.decision.ago(formatAge(age))
  return texts.decision.decided(who, decision?.action ?? status, when)
}
