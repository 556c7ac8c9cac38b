import { createHash } from 'node:crypto'
import type { Evidence, Observation, ObservedRun } from '../../../../shared/contracts/evidence.ts'
import type { SkillManifest } from '../../../../shared/contracts/releases.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { ErrorIssue } from '../../../../shared/errors.ts'
import { summarize } from '../../../../shared/validation.ts'

type Examples = SkillManifest['examples']

/**
 * Compares a reviewer's test run with the release and adds the server's own result for each example. Throws
 * EVIDENCE_MISMATCH if it was made with another module or other examples.
 */
export function examineObservation(
  observation: Observation,
  release: { sha256: string },
  examples: Examples,
): NonNullable<Evidence['observation']> {
  const issues = findMismatches(observation, release, examples)
  if (issues.length > 0) {
    throw new DomainError(
      'EVIDENCE_MISMATCH',
      `The test run doesn't match this release: ${summarize(issues)}. Run the examples again, or decide without them.`,
      { issues },
    )
  }
  return {
    ...observation,
    runs: observation.runs.map((run) => ({ ...run, passed: hasPassed(run, examples) })),
  }
}

function findMismatches(
  observation: Observation,
  release: { sha256: string },
  examples: Examples,
): ErrorIssue[] {
  const issues: ErrorIssue[] = []
  if (observation.sha256 !== release.sha256) {
    issues.push({
      path: 'observation.sha256',
      message: `must be the digest of the release, ${release.sha256}`,
    })
  }
  const seen = new Set<number>()
  for (const [index, { example }] of observation.runs.entries()) {
    const path = `observation.runs.${index}.example`
    if (example >= examples.length) {
      const count = examples.length === 1 ? 'one example' : `${examples.length} examples`
      issues.push({ path, message: `must be below ${examples.length}; the manifest has ${count}` })
    } else if (seen.has(example)) {
      issues.push({ path, message: `must not repeat example ${example}` })
    }
    seen.add(example)
  }
  return issues
}

/** Whether the run exited with 0 and its output has the digest of the expected output. */
function hasPassed(run: ObservedRun, examples: Examples): boolean {
  const expected = createHash('sha256')
    .update(examples[run.example]?.output ?? '')
    .digest('hex')
  return run.end === 'exited' && run.exitCode === 0 && run.stdoutSha256 === expected
}
