import { severities } from '../../../../shared/contracts/findings.ts'
import type { Finding, JudgedFinding } from '../../../../shared/contracts/findings.ts'

/** A finding with when the runs were that it comes from; null for one of the server's. */
export type ListedFinding = JudgedFinding & { seenAt: string | null }

/** Open ones first, worst first; what the list held before keeps its place. */
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

/** `1 open, 2 judged` */
export function findingsNote(found: readonly JudgedFinding[]): string {
  const open = found.filter(({ judgement }) => judgement === null).length
  const judged = found.length - open
  if (found.length === 0) return 'none'
  return [open > 0 ? `${open} open` : 'none open', judged > 0 ? `${judged} judged` : null]
    .filter((part) => part !== null)
    .join(', ')
}

/** What a finding says in the reason that a publisher gets. */
export function findingSentence({ title, reason }: Pick<Finding, 'title' | 'reason'>): string {
  return `${title.replace(/[.:]$/, '')}: ${reason}`
}
