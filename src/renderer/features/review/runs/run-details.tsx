import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatCount } from '../../../lib/format.ts'
import type { FinishedRun } from './runs.ts'
import { texts } from '../review.texts.ts'
import classes from './run-details.module.css'
import { OutputText } from './output-text.tsx'

interface Props {
  finished: FinishedRun
  /** Prefix of the file names of saved output. */
  name: string
  showOutput: boolean
}

/** All details of a run: calls, requested paths, and output. */
export function RunDetails({ finished: { run }, name, showOutput }: Props) {
  const usesRealInput = run.calls.some(
    ({ name: called }) => called.startsWith('clock_') || called === 'random_get',
  )
  return (
    <div className={classes['details']} data-text="hint">
      {run.calls.length === 0 ? (
        <p>{texts.testRuns.noCalls}</p>
      ) : (
        <table className={classes['calls']}>
          <thead>
            <tr>
              <th scope="col">{texts.testRuns.function}</th>
              <th scope="col">{texts.testRuns.calls}</th>
              <th scope="col">{texts.testRuns.errors}</th>
            </tr>
          </thead>
          <tbody>
            {run.calls.map(({ name: called, count, refused }) => (
              <tr key={called}>
                <th scope="row">
                  <code>{called}</code>
                </th>
                <td>{formatCount(count)}</td>
                <td>{formatCount(refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {run.paths.length > 0 && (
        <div>
          <p className={classes['what']}>{texts.testRuns.paths}</p>
          <ul className={classes['paths']}>
            {run.paths.map(({ name: called, path }, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <code>
                  {called} <PlainText text={path} />
                </code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {showOutput && <OutputText title={texts.testRuns.stdout} bytes={run.stdout} file={`${name}.stdout`} />}
      <OutputText title={texts.testRuns.stderr} bytes={run.stderr} file={`${name}.stderr`} />
      {run.end === 'time-limit' && <p>{texts.testRuns.timedOut}</p>}
      {usesRealInput && <p>{texts.testRuns.realClock}</p>}
    </div>
  )
}
