import { Link, useSearch } from 'wouter'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { PlainText } from '../../../components/plain-text.tsx'
import { Status } from '../../../components/status.tsx'
import { When } from '../../../components/when.tsx'
import { plural } from '../../../lib/format.ts'
import { readFilter, reviewPath } from '../queue-filter.ts'
import classes from './release-history.module.css'
import { Section } from './section.tsx'

/** What was decided about this release, and how the other versions of the name stand. */
export function ReleaseHistory({ release }: { release: DeskRelease }) {
  const filter = readFilter(useSearch())
  return (
    <>
      <Section id="history" title="History" note={plural(release.history.length, 'decision')}>
        <ol>
          {release.history.map((decision) => (
            <li key={decision.id} className={classes['event']}>
              <span className={classes['when']}>
                <When at={decision.decidedAt} />
              </span>
              <div>
                <p>
                  <Status kind={decision.action} /> by {decision.decidedBy}
                </p>
                <p className={classes['reason']}>
                  <PlainText text={decision.reason} />
                </p>
              </div>
            </li>
          ))}
          <li className={classes['event']}>
            <span className={classes['when']}>
              <When at={release.createdAt} />
            </span>
            <p>submitted by {release.owner.publisher}</p>
          </li>
        </ol>
      </Section>
      <Section title="Other versions" note={plural(release.siblings.length, 'version')}>
        {release.siblings.length === 0 ? (
          <p className={classes['reason']}>This is the first release of the name.</p>
        ) : (
          <ul>
            {release.siblings.map(({ id, version, status, createdAt }) => (
              <li key={id} className={classes['sibling']}>
                <Link href={reviewPath(id, filter)}>{version}</Link>
                <Status kind={status} />
                <span className={classes['when']}>
                  <When at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}
