import { Link } from 'wouter'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { Avatar } from '../../../components/avatar.tsx'
import { formatAgo, formatDate } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { providerOf } from '../provider-name.ts'
import { texts } from '../people.texts.ts'
import classes from './person-row.module.css'

interface Props {
  person: PersonListRow
  href: string
  selected: boolean
  you: boolean
}

export function PersonRow({ person, href, selected, you }: Props) {
  const now = useNow()
  const name = publisherName(person)
  const removed = person.removedAt !== null
  return (
    <Link
      href={href}
      className={classes['row']}
      data-person={person.id}
      data-ring="inside"
      data-gone={removed || undefined}
      aria-current={selected ? 'true' : undefined}
    >
      <Avatar name={name} size={28} />
      <span className={classes['who']}>
        <span className={classes['name']}>
          {name} {you && <span className={classes['you']}>{texts.row.you}</span>}
        </span>
        <span className={classes['subject']} data-text="note">
          {person.removedAt === null
            ? [providerOf(person.issuer), person.subject].filter(Boolean).join(', ')
            : texts.row.accessEnded(formatDate(person.removedAt, now))}
        </span>
      </span>
      <span className={classes['role']}>{removed ? texts.row.noAccess : person.role}</span>
      <span className={classes['seen']} data-text="note">
        {person.lastSeenAt === null ? texts.row.neverSeen : formatAgo(person.lastSeenAt, now)}
      </span>
    </Link>
  )
}
