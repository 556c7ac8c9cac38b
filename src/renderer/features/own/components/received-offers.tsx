import { Button } from '@mantine/core'
import { IconMailOpened } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { OwnerOffer } from '../../../../shared/contracts/owners.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { showToast } from '../../../lib/state/toasts.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import { ownNamesQuery, useAnswerOffer } from '../names.api.ts'
import { texts } from '../own.texts.ts'
import classes from './own-names.module.css'

const { received } = texts.names

/** The open offers to the signed-in person, if there is one. */
export function ReceivedOffers() {
  const names = useInfiniteQuery(ownNamesQuery)
  const offers = names.data?.pages[0]?.received ?? []
  if (offers.length === 0) return null
  return (
    <ul className={classes['received']} aria-label={received.title}>
      {offers.map((offer) => (
        <li key={offer.id}>
          <ReceivedOffer offer={offer} />
        </li>
      ))}
    </ul>
  )
}

function ReceivedOffer({ offer }: { offer: OwnerOffer }) {
  const { id, name, kind, from, expiresAt } = offer
  const answer = useAnswerOffer(id, (given) => {
    if (given !== 'withdrawn') showToast({ kind: 'done', subject: name, text: received.done[given] })
  })
  return (
    <Notice
      tone="note"
      icon={IconMailOpened}
      title={received.offer[kind](from.publisher, name)}
      actions={
        <>
          <Button
            size="sm"
            variant="filled"
            loading={answer.isPending}
            onClick={() => answer.mutate({ answer: 'accepted' })}
          >
            {received.accept}
          </Button>
          <Button size="sm" disabled={answer.isPending} onClick={() => answer.mutate({ answer: 'declined' })}>
            {received.decline}
          </Button>
        </>
      }
    >
      <p>{received.hint(formatFullDate(expiresAt))}</p>
      {answer.error !== null && <Failure error={answer.error} what={received.failed} />}
    </Notice>
  )
}
