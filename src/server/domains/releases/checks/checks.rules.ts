import { severities } from '../../../../shared/contracts/findings.ts'
import type { Finding, JudgedFinding, Judgement } from '../../../../shared/contracts/findings.ts'

/** Adds the dismissals to findings. Sorted: open ones first, then by severity. */
export function withJudgements(
  findings: readonly Finding[],
  judgementOf: (fingerprint: string) => Judgement | undefined,
): JudgedFinding[] {
  const place = ({ severity, judgement }: JudgedFinding): number =>
    severities.indexOf(severity) + (judgement === null ? 0 : severities.length)
  return findings
    .map((finding) => ({ ...finding, judgement: judgementOf(finding.fingerprint) ?? null }))
    .toSorted((a, b) => place(a) - place(b))
}
