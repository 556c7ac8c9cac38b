import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { LostDecision } from '../../../../shared/contracts/desk-decisions.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { findRegion } from '../../../lib/keys/regions.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { restoreReason } from './reason-draft.ts'
import { lostDecisionsQuery, useDismissLost } from '../review.api.ts'
import classes from './lost-decisions.module.css'

/** Own decisions that were held and not carried out; each stays until it is dismissed. */
export function LostDecisions() {
  const [, navigate] = useLocation()
  const { data } = useQuery(lostDecisionsQuery)
  const dismiss = useDismissLost()
  const lost = data?.items ?? []
  const open = (one: LostDecision): void => {
    restoreReason(one.releaseId, one.action, one.reason)
    navigate(`/review/${one.releaseId}`)
    findRegion('sheet')?.focus()
  }
  const drop = (one: LostDecision): void =>
    dismiss.mutate(one.id, {
      onSuccess: () => document.querySelector<HTMLElement>('#content')?.focus(),
      onError: (error) => showToast({ kind: 'error', text: `It stays. ${asApiError(error).message}` }),
    })
  useActions(
    lost.flatMap((one): Action[] => [
      {
        id: `open-lost-${one.id}`,
        label: `open ${one.name} ${one.version}, whose decision was lost`,
        group: 'Decide',
        run: () => open(one),
      },
      {
        id: `dismiss-lost-${one.id}`,
        label: `dismiss the lost decision on ${one.name} ${one.version}`,
        group: 'Decide',
        run: () => drop(one),
      },
    ]),
  )
  if (lost.length === 0) return null
  return (
    <section className={classes['strip']} aria-label="Decisions that were not carried out">
      {lost.map((one) => (
        <Notice
          key={one.id}
          tone="warn"
          icon={IconAlertTriangle}
          role="alert"
          title={`Your decision on ${one.name} ${one.version} was not carried out${one.cause === 'overtaken' ? '' : '; it is pending again'}.`}
          actions={
            <>
              <Button size="sm" onClick={() => open(one)}>
                Open
              </Button>
              <Button size="sm" onClick={() => drop(one)}>
                Dismiss
              </Button>
            </>
          }
        >
          <p>
            {causeOf(one)} You wrote: “<PlainText text={one.reason} />”
          </p>
        </Notice>
      ))}
    </section>
  )
}

function causeOf({ cause, action, heldAt }: LostDecision): string {
  const noun = `${action === 'approved' ? 'approval' : 'rejection'} of ${formatClock(new Date(heldAt))}`
  switch (cause) {
    case 'stopped':
      return `Skilldock ended without warning while it held your ${noun}.`
    case 'overtaken':
      return `Somebody else decided while your ${noun} was held; the release says who.`
    case 'barred':
      return `You were no longer allowed to decide this when your ${noun} was due.`
    default:
      return `When your ${noun} was due, it could do more than what you had ticked as seen.`
  }
}
