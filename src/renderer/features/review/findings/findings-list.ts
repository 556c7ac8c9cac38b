import { severities } from '../../../../shared/contracts/findings.ts'
import type { Finding, JudgedFinding } from '../../../../shared/contracts/findings.ts'
import { texts } from '../review.texts.ts'

/** `seenAt`: when the test runs behind the finding were made; null for findings of the server. */
export type ListedFinding = JudgedFinding & { seenAt: string | null }

/** Open findings first, most severe first. Findings already listed in `places` keep their position. */
export function orderFindings<Found extends JudgedFinding>(
  found: readonly Found[],
  places: readonly string[],
): Found[] {
  const rank = ({ severity, judgement }: JudgedFinding): number =>
    severities.indexOf(severity) + (judgement === null ? 0 : severities.length)
  const place = ({ fingerprint }: JudgedFinding): number => {
    const at = places.indexOf(fingerprint)
    return at === -1 ? places.length : at
  }
  return found.toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b))
}

/** `1 open, 2 dismissed` */
export function findingsNote(found: readonly JudgedFinding[]): string {
  const open = found.filter(({ judgement }) => judgement === null).length
  return found.length === 0 ? texts.findings.none : texts.findings.note(open, found.length - open)
}

/** A finding as a sentence for the reason that the publisher reads. */
export function findingSentence({ title, reason }: Pick<Finding, 'title' | 'reason'>): string {
  return `${title.replace(/[.:]$/, '')}: ${reason}`
}
