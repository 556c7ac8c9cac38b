import type { ErrorIssue } from '../../../../shared/errors.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import classes from './file-pick.module.css'

/** What is wrong, field by field. */
export function ProblemList({ problems }: { problems: readonly ErrorIssue[] }) {
  return (
    <ul className={classes['problems']} aria-label="Problems">
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
