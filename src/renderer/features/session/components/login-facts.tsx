import type { DeskLogin } from '../../../../shared/contracts/logins.ts'
import { Facts } from '../../../components/facts.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatClock } from '../../../lib/time/time.ts'
import { texts } from '../session.texts.ts'
import classes from './login-facts.module.css'

const { facts } = texts.confirm

/** What is known about a terminal. Its name is self-reported, and labeled as such. */
export function LoginFacts({ login }: { login: DeskLogin }) {
  const { client, address, place, startedAt, expiresAt } = login
  const isOpen = login.state === 'waiting'
  return (
    <div className={classes['facts']}>
      <Facts
        facts={[
          {
            label: facts.client,
            value: (
              <bdi className={classes['name']}>
                <PlainText text={client} />
              </bdi>
            ),
          },
          {
            label: facts.address,
            value: (
              <>
                <code>{address === '' ? facts.unknownAddress : address}</code>, {facts.places[place]}
              </>
            ),
          },
          {
            label: facts.started,
            value: (
              <>
                {formatClock(new Date(startedAt))}
                {isOpen && facts.expires(formatClock(new Date(expiresAt)))}
              </>
            ),
          },
        ]}
      />
    </div>
  )
}
