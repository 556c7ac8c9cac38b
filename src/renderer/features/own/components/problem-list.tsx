import type { ErrorIssue } from '../../../../shared/errors.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { texts } from '../own.texts.ts'
import classes from './file-pick.module.css'

/** The problems of a manifest, by field. */
export function ProblemList({ problems }: { problems: readonly ErrorIssue[] }) {
  return (
    <ul className={classes['problems']} aria-label={texts.submission.problems}>
      {problems.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          {path !== '' && (
            <>
              <code>
                <PlainText text={path} />
              </code>{' '}
            </>
          )}
          <PlainText text={message} />
        </li>
      ))}
    </ul>
  )
}
