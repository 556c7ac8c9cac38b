import { createHash } from 'node:crypto'
import type { Evidence, Observation, ObservedRun } from '../../../../shared/contracts/evidence.ts'
import type { SkillManifest } from '../../../../shared/contracts/manifest.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { ErrorIssue } from '../../../../shared/errors.ts'
import { summarize } from '../../../../shared/validation.ts'
import { texts } from '../releases.texts.ts'

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
    throw new DomainError('EVIDENCE_MISMATCH', texts.evidence.mismatch(summarize(issues)), { issues })
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
      message: texts.evidence.otherModule(release.sha256),
    })
  }
  const seen = new Set<number>()
  for (const [index, { example }] of observation.runs.entries()) {
    const path = `observation.runs.${index}.example`
    if (example >= examples.length) {
      issues.push({ path, message: texts.evidence.noExample(examples.length) })
    } else if (seen.has(example)) {
      issues.push({ path, message: texts.evidence.repeated(example) })
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
