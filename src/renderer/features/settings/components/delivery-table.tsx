import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../../../shared/contracts/desk-webhooks.ts'
import { eventLabels } from '../../../../shared/notifications.texts.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { texts } from '../settings.texts.ts'
import { deliveriesQuery } from '../webhooks.api.ts'
import classes from './webhooks.module.css'

const { deliveries: words } = texts
const tones = { pending: 'warn', delivered: 'ok', failed: 'bad' } as const

interface Props {
  /** Null for e-mail. */
  id: number | null
  recipient: string
}

/** The latest deliveries to a webhook, or of e-mail. */
export function DeliveryTable({ id, recipient }: Props) {
  const query = useQuery(deliveriesQuery(id))
  const { data, error } = query
  if (data === undefined || error !== null)
    return <Loading query={query} rows={3} height={28} what={words.what} failed={words.loadFailed} />
  if (data.items.length === 0) return <p className={classes['none']}>{words.none}</p>
  return (
    <div className={classes['scroll']} role="region" tabIndex={0} aria-label={words.title(recipient)}>
      <table className={classes['table']}>
        <thead>
          <tr>
            {Object.values(words.columns).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ delivery }: { delivery: Delivery & { person?: string } }) {
  const { event, status, attempts, answerStatus, problem, durationMs, nextAt } = delivery
  return (
    <tr>
      <td>
        <When at={delivery.createdAt} />
      </td>
      <td>
        {event === 'webhook.test' || event === 'mail.verify' ? words.other[event] : eventLabels[event]}
        {delivery.person !== undefined && words.to(delivery.person)}
      </td>
      <td>
        <Badge tone={tones[status]} text={words.statuses[status]} />
        {nextAt !== null && attempts > 0 && (
          <span className={classes['next']}>
            {words.next} <When at={nextAt} />
          </span>
        )}
      </td>
      <td>{attempts}</td>
      <td className={classes['answer']}>{[answerStatus, problem].filter(Boolean).join(': ')}</td>
      <td>{durationMs !== null && words.ms(durationMs)}</td>
    </tr>
  )
}
