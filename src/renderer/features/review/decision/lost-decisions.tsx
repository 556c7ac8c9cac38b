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
import { texts } from '../review.texts.ts'
import classes from './lost-decisions.module.css'

/** The reviewer's held decisions that were not carried out; each notice stays until dismissed. */
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
  const dismissOne = (one: LostDecision): void =>
    dismiss.mutate(one.id, {
      onSuccess: () => document.querySelector<HTMLElement>('#content')?.focus(),
      onError: (error) =>
        showToast({ kind: 'error', text: texts.lostDecisions.dismissFailed(asApiError(error).message) }),
    })
  useActions(
    lost.flatMap((one): Action[] => [
      {
        id: `open-lost-${one.id}`,
        label: texts.lostDecisions.openCommand(one.name, one.version),
        group: 'Decide',
        run: () => open(one),
      },
      {
        id: `dismiss-lost-${one.id}`,
        label: texts.lostDecisions.dismissCommand(one.name, one.version),
        group: 'Decide',
        run: () => dismissOne(one),
      },
    ]),
  )
  if (lost.length === 0) return null
  return (
    <section className={classes['strip']} aria-label={texts.lostDecisions.region}>
      {lost.map((one) => (
        <Notice
          key={one.id}
          tone="warn"
          icon={IconAlertTriangle}
          role="alert"
          title={texts.lostDecisions.title(one.name, one.version, one.cause !== 'overtaken')}
          actions={
            <>
              <Button size="sm" onClick={() => open(one)}>
                {texts.lostDecisions.open}
              </Button>
              <Button size="sm" onClick={() => dismissOne(one)}>
                {texts.lostDecisions.dismiss}
              </Button>
            </>
          }
        >
          <p>
            {causeOf(one)} {texts.lostDecisions.reason} “<PlainText text={one.reason} />”
          </p>
        </Notice>
      ))}
    </section>
  )
}

function causeOf({ cause, action, heldAt }: LostDecision): string {
  return texts.lostDecisions.cause[cause](texts.lostDecisions.decision[action](formatClock(new Date(heldAt))))
}
