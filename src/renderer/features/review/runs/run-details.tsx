import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatCount } from '../../../lib/format.ts'
import type { FinishedRun } from './runs.ts'
import classes from './run-details.module.css'
import { OutputText } from './output-text.tsx'

interface Props {
  finished: FinishedRun
  /** Begins the names of the files in which its output is saved. */
  name: string
  showOutput: boolean
}

/** Everything that was seen of one run: each call, what it asked for, and what it wrote. */
export function RunDetails({ finished: { run }, name, showOutput }: Props) {
  const real = run.calls.some(({ name: called }) => called.startsWith('clock_') || called === 'random_get')
  return (
    <div className={classes['details']}>
      {run.calls.length === 0 ? (
        <p>It called nothing.</p>
      ) : (
        <table className={classes['calls']}>
          <thead>
            <tr>
              <th scope="col">Function</th>
              <th scope="col">Calls</th>
              <th scope="col">Answered with an error</th>
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
          <p className={classes['what']}>Names of files that it asked for; none is here</p>
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
      {showOutput && <OutputText title="Standard output" bytes={run.stdout} file={`${name}.stdout`} />}
      <OutputText title="Standard error" bytes={run.stderr} file={`${name}.stderr`} />
      {run.end === 'time-limit' && (
        <p>It was ended at its limit: calls, memory and output are as last seen.</p>
      )}
      {real && <p>The clock and random numbers were real.</p>}
    </div>
  )
}
