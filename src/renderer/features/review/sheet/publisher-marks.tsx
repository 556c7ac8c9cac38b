import { Tooltip } from '@mantine/core'
import { Link, useSearch } from 'wouter'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { statuses } from '../../../components/feedback/status.tsx'
import { queueFilter } from '../queue/queue-filter.ts'
import { texts } from '../review.texts.ts'
import classes from './publisher-marks.module.css'

/** The publisher's recently decided releases, oldest first; each mark links to its release. */
export function PublisherMarks({ decided }: { decided: DeskRelease['owner']['decided'] }) {
  const filter = queueFilter.read(useSearch())
  if (decided.length === 0) return null
  return (
    <ul className={classes['marks']} aria-label={texts.release.head.earlierDecisions}>
      {decided.toReversed().map(({ id, name, version, status }) => {
        const { icon: Icon, tone } = statuses[status]
        const label = `${name} ${version} ${status}`
        return (
          <li key={id}>
            <Tooltip label={label} events={{ hover: true, focus: true, touch: false }}>
              <Link href={queueFilter.path(filter, id)} aria-label={label} data-ink={tone}>
                <Icon size={14} stroke={1.75} aria-hidden />
              </Link>
            </Tooltip>
          </li>
        )
      })}
    </ul>
  )
}
