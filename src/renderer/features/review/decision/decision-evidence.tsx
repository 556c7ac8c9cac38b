import type { ReviewStatement, StatedRun } from '../../../../shared/contracts/evidence.ts'
import { formatBytes, formatMiB, listWords, plural } from '../../../lib/format.ts'
import { newCapabilitiesSentence } from '../changes/new-capabilities.ts'
import classes from './decision-evidence.module.css'

interface Props {
  /** Whether the decision was made in the desk, with what was seen there. */
  given: boolean
  /** Known of the last decision only. */
  statement: ReviewStatement | null
}

/** What a decision was made on: the reviewer's statement of what ran, which is no proof. */
export function DecisionEvidence({ given, statement }: Props) {
  if (!given) return <p className={classes['line']}>no evidence given</p>
  const evidence = statement?.evidence ?? null
  if (statement === null || evidence === null) return <p className={classes['line']}>made in the desk</p>
  const { observation, growthSeen, openFindings } = evidence
  const passed = observation?.runs.filter((run) => run.passed).length ?? 0
  return (
    <details className={classes['evidence']}>
      <summary>
        {observation === null
          ? 'made in the desk; no example was run'
          : `observed by ${statement.decidedBy} with checks ${observation.checks}: ${passed} of ${observation.runs.length} passed`}
      </summary>
      <p className={classes['line']}>
        {growthSeen.length > 0 &&
          `Ticked as seen: “${newCapabilitiesSentence({ capabilities: growthSeen })}” `}
        {openFindings.length === 0 ? 'No finding was open.' : `Open findings: ${countWords(openFindings)}.`}
      </p>
      {observation !== null && (
        <div className={classes['scroll']}>
          <table className={classes['runs']}>
            <thead>
              <tr>
                <th scope="col">Example</th>
                <th scope="col">Verdict</th>
                <th scope="col">Exit</th>
                <th scope="col">Time</th>
                <th scope="col">Peak</th>
                <th scope="col">Output</th>
                <th scope="col">Calls made</th>
              </tr>
            </thead>
            <tbody>
              {observation.runs.map((run) => (
                <Run key={run.example} run={run} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

function Run({ run }: { run: StatedRun }) {
  return (
    <tr>
      <td>{run.example + 1}</td>
      <td data-passed={run.passed}>{verdictOf(run)}</td>
      <td>{run.exitCode ?? 'none'}</td>
      <td>{run.timeMs} ms</td>
      <td>{formatMiB(run.peakMemoryBytes)}</td>
      <td>{formatBytes(run.stdoutBytes)}</td>
      <td>
        <code>{run.calls.map(({ name, count }) => `${name} ${count}`).join(', ')}</code>
      </td>
    </tr>
  )
}

const ends = {
  exited: 'differs',
  trapped: 'trapped',
  'time-limit': 'never ended',
  'memory-limit': 'wanted more memory',
  'output-limit': 'output cut',
  'not-run': 'not run',
} as const

function verdictOf({ passed, end }: StatedRun): string {
  return passed ? 'passed' : ends[end]
}

/** `import-unused and 2 findings of string-url` */
function countWords(checks: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const check of checks) counts.set(check, (counts.get(check) ?? 0) + 1)
  return listWords(
    [...counts].map(([check, count]) => (count === 1 ? check : `${plural(count, 'finding')} of ${check}`)),
  )
}
