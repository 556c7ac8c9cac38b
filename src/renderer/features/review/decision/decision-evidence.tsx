import type { ReviewStatement, EvaluatedRun } from '../../../../shared/contracts/evidence.ts'
import { formatBytes, formatMiB } from '../../../lib/format.ts'
import { newCapabilitiesSentence } from '../changes/new-capabilities.ts'
import { texts } from '../review.texts.ts'
import classes from './decision-evidence.module.css'

const { columns } = texts.testRuns

interface Props {
  /** Whether the decision was made in the desk, with evidence. */
  given: boolean
  /** Known of the last decision only. */
  statement: ReviewStatement | null
}

/** The evidence of a decision: the reviewer's own statement of the test runs, which the server can't verify. */
export function DecisionEvidence({ given, statement }: Props) {
  if (!given)
    return (
      <p className={classes['line']} data-text="hint">
        {texts.evidence.none}
      </p>
    )
  const evidence = statement?.evidence ?? null
  if (statement === null || evidence === null)
    return (
      <p className={classes['line']} data-text="hint">
        {texts.evidence.desk}
      </p>
    )
  const { observation, growthSeen, openFindings } = evidence
  const passed = observation?.runs.filter((run) => run.passed).length ?? 0
  return (
    <details className={classes['evidence']}>
      <summary data-text="hint">
        {observation === null
          ? texts.evidence.noRuns
          : texts.evidence.observed(statement.decidedBy, observation.checks, passed, observation.runs.length)}
      </summary>
      <p className={classes['line']} data-text="hint">
        {growthSeen.length > 0 &&
          texts.evidence.confirmed(newCapabilitiesSentence({ capabilities: growthSeen }))}
        {openFindings.length === 0
          ? texts.evidence.noOpenFindings
          : texts.evidence.openFindings(countByCheck(openFindings))}
      </p>
      {observation !== null && (
        <div className={classes['scroll']}>
          <table className={classes['runs']}>
            <thead>
              <tr>
                <th scope="col">{columns.example}</th>
                <th scope="col">{columns.result}</th>
                <th scope="col">{columns.exit}</th>
                <th scope="col">{columns.time}</th>
                <th scope="col">{columns.memory}</th>
                <th scope="col">{texts.evidence.output}</th>
                <th scope="col">{columns.calls}</th>
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

function Run({ run }: { run: EvaluatedRun }) {
  return (
    <tr>
      <td>{run.example + 1}</td>
      <td data-ink={run.passed ? 'ok' : 'warn'}>{verdictOf(run)}</td>
      <td>{run.exitCode ?? texts.evidence.noExitCode}</td>
      <td>{run.timeMs} ms</td>
      <td>{formatMiB(run.peakMemoryBytes)}</td>
      <td>{formatBytes(run.stdoutBytes)}</td>
      <td>
        <code>{run.calls.map(({ name, count }) => `${name} ${count}`).join(', ')}</code>
      </td>
    </tr>
  )
}

function verdictOf({ passed, end }: EvaluatedRun): string {
  return texts.evidence.results[passed ? 'passed' : end]
}

/** `import-unused`, `string-url (2)` */
function countByCheck(checks: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const check of checks) counts.set(check, (counts.get(check) ?? 0) + 1)
  return [...counts].map(([check, count]) => texts.evidence.findings(check, count))
}
