import type { DeskLogin } from '../../../../shared/contracts/logins.ts'
import { Facts } from '../../../components/facts.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatClock } from '../../../lib/time/time.ts'
import classes from './login-facts.module.css'

const places: Record<DeskLogin['place'], string> = {
  here: 'the computer that Skilldock runs on',
  elsewhere: 'another computer',
  unknown: 'passed on by a proxy; the terminal may be anywhere',
}

/** What is known of a terminal that asks. Its name is its own choice, and says so. */
export function LoginFacts({ login }: { login: DeskLogin }) {
  const { client, address, place, startedAt, expiresAt } = login
  const isOpen = login.state === 'waiting'
  return (
    <div className={classes['facts']}>
      <Facts
        facts={[
          {
            label: 'It calls itself',
            value: (
              <bdi className={classes['name']}>
                <PlainText text={client} />
              </bdi>
            ),
          },
          {
            label: 'It asks from',
            value: (
              <>
                <code>{address === '' ? 'unknown' : address}</code>, {places[place]}
              </>
            ),
          },
          {
            label: 'Since',
            value: (
              <>
                {formatClock(new Date(startedAt))}
                {isOpen && <>, the code counts until {formatClock(new Date(expiresAt))}</>}
              </>
            ),
          },
        ]}
      />
    </div>
  )
}
