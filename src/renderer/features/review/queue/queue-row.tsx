import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { Avatar } from '../../../components/avatar.tsx'
import { ListRow } from '../../../components/list/list-row.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { namesAt, openElsewhere } from '../../../lib/server/desk-presence.ts'
import { useStore } from '../../../lib/state/store.ts'
import { formatAge, formatWhen } from '../../../lib/time/time.ts'
import { queueFilter } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import type { ReviewRow } from '../review.api.ts'
import { HeldStatus } from '../decision/held-status.tsx'
import { texts } from '../review.texts.ts'
import classes from './queue-row.module.css'
import { RowBadges } from './row-badges.tsx'

interface Props {
  row: ReviewRow
  filter: QueueFilter
  selected: boolean
  now: number
  me: number
}

/** One release: pending with its age and check results, or decided with who and when. */
export const QueueRowLink = memo(function QueueRowLink({ row, filter, selected, now, me }: Props) {
  const pending = row.status === 'pending'
  const when = row.decidedAt ?? row.createdAt
  return (
    <ListRow
      id={row.id}
      href={queueFilter.path(filter, row.id)}
      selected={selected}
      quiet={!pending}
      mono
      name={
        <>
          {row.name}
          {!pending && <span className={classes['version']}> {row.version}</span>}
        </>
      }
      when={
        pending
          ? { at: row.createdAt, text: formatAge(now - Date.parse(row.createdAt)) }
          : { at: when, text: formatWhen(when, now) }
      }
      by={
        pending ? (
          <>
            <span className={classes['version']}>{row.version}</span> {texts.queue.byPerson(row.publisher)}
          </>
        ) : (
          <>
            <Status kind={row.status} /> {row.decidedBy === null ? '' : texts.queue.byPerson(row.decidedBy)}
            {row.selfApproved && texts.queue.selfApproved}
          </>
        )
      }
      badges={
        <>
          <Others release={row.id} />
          {pending &&
            (row.held === null ? <RowBadges row={row} /> : <HeldStatus held={row.held} me={me} short />)}
        </>
      }
    />
  )
})

/** Avatars of at most two other reviewers who have the release open. */
function Others({ release }: { release: number }) {
  const names = namesAt(useStore(openElsewhere), release)
  if (names.length === 0) return null
  return (
    <span className={classes['others']} title={texts.release.alsoOpen(names)}>
      {names.slice(0, 2).map((name, index) => (
        // Two people may have the same name.
        // oxlint-disable-next-line react/no-array-index-key
        <Avatar key={index} name={name} />
      ))}
      {names.length > 2 && <span aria-hidden>+{names.length - 2}</span>}
      <VisuallyHidden>{texts.release.alsoOpen(names)}</VisuallyHidden>
    </span>
  )
}
