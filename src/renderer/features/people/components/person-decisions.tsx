import { Link } from 'wouter'
import type { Decision } from '../../../../shared/contracts/desk-review.ts'
import { Section } from '../../../components/section.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { When } from '../../../components/list/when.tsx'
import { texts } from '../people.texts.ts'
import classes from './person-decisions.module.css'

/** A person's most recent decisions, newest first. */
export function PersonDecisions({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <Section title={texts.decisions.title} label={texts.decisions.label}>
      {decisions.length === 0 && (
        <p className={classes['none']} data-text="hint">
          {texts.decisions.none}
        </p>
      )}
      <ol className={classes['decisions']}>
        {decisions.map((decision) => (
          <li key={decision.id}>
            <span data-ink="calm">
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
    </Section>
  )
}
