import { severities } from '../../../../shared/contracts/findings.ts'
import type { Finding, JudgedFinding, Judgement } from '../../../../shared/contracts/findings.ts'

/** Findings with what stands of judgements on them: open ones first, then worst first. */
export function judgeFindings(
  findings: readonly Finding[],
  judgementOf: (fingerprint: string) => Judgement | undefined,
): JudgedFinding[] {
  const place = ({ severity, judgement }: JudgedFinding): number =>
    severities.indexOf(severity) + (judgement === null ? 0 : severities.length)
  return findings
    .map((finding) => ({ ...finding, judgement: judgementOf(finding.fingerprint) ?? null }))
    .toSorted((a, b) => place(a) - place(b))
}
