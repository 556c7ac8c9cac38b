import { Link } from 'wouter'
import type { Decision } from '../../../../shared/contracts/desk-review.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { When } from '../../../components/list/when.tsx'
import classes from './person-decisions.module.css'

/** The decisions of a person, newest first. */
export function PersonDecisions({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <section className={classes['section']} aria-label="Decisions">
      <h2>What they decided lately</h2>
      {decisions.length === 0 && <p className={classes['none']}>No decisions.</p>}
      <ol>
        {decisions.map((decision) => (
          <li key={decision.id}>
            <span className={classes['when']}>
              <When at={decision.decidedAt} />
            </span>
            <p>
              {decision.action}{' '}
              <Link href={`/review/${decision.releaseId}?view=all`}>
                {decision.name} {decision.version}
              </Link>
              : “<PlainText text={decision.reason} />”
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
