import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { DecisionRaced } from '../../../components/decision/decision-raced.tsx'
import { heldSubject, secondsLeft } from '../../../lib/server/held.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import type { ReviewRelease } from '../review.api.ts'

interface Props {
  release: ReviewRelease
  me: DeskPerson
  reason: string
  hasNext: boolean
  onNext: () => void
  onClose: () => void
}

/** Another decision on a release came first, or is held. */
export function DecisionConflict({ release, me, reason, hasNext, onNext, onClose }: Props) {
  const now = useNow(release.held === null ? 5000 : 250)
  const decision = release.held === null ? release.history[0] : undefined
  return (
    <DecisionRaced
      title={titleOf(release, me, now)}
      theirReason={decision?.reason ?? null}
      ownReason={reason}
      next={hasNext ? 'Next release' : null}
      onNext={onNext}
      onClose={onClose}
    >
      {release.held !== null && 'It can be decided here only if that is taken back. '}
    </DecisionRaced>
  )
}

/** `Ilse Verbeek rejects this in 7 s`, `Tomáš Novák approved this 40 s ago` */
function titleOf({ held, history, status }: ReviewRelease, me: DeskPerson, now: number): string {
  if (held !== null) {
    const seconds = secondsLeft(held, now)
    return `${heldSubject(held, me.id)}${seconds === 0 ? '' : ` in ${seconds} s`}`
  }
  const decision = history[0]
  const who = decision?.decidedBy === (me.name ?? me.subject) ? 'You' : (decision?.decidedBy ?? 'Somebody')
  const age = decision === undefined ? 0 : Math.max(0, now - Date.parse(decision.decidedAt))
  const ago = age < 5000 ? 'a moment ago' : `${formatAge(age)} ago`
  return `${who} ${decision?.action ?? status} this ${ago}`
}
