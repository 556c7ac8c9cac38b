import { severities } from '../../../shared/contracts/findings.ts'
import type { Finding, FindingPlace, JudgedFinding } from '../../../shared/contracts/findings.ts'
import { plural } from '../../lib/format.ts'

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

/** `In description`, `At 0x1f3a0, 12 bytes`, `In the module as a whole` */
export function placeWords(place: FindingPlace): string {
  if (place.kind === 'module') return 'In the module as a whole'
  if (place.kind === 'field') return `In ${fieldWords(place.field)}`
  const at = `At 0x${place.offset.toString(16)}`
  return place.length > 1 ? `${at}, ${plural(place.length, 'byte')}` : at
}

/** `input of example 1` of `examples.0.input`. */
function fieldWords(field: string): string {
  const [, index, side] = /^examples\.(\d+)(?:\.(input|output))?$/.exec(field) ?? []
  if (index === undefined) return field
  const example = `example ${Number(index) + 1}`
  return side === undefined ? example : `the ${side} of ${example}`
}

/** What a finding says in the notes to a publisher. */
export function findingSentence({ title, reason }: Pick<Finding, 'title' | 'reason'>): string {
  return `${title.replace(/[.:]$/, '')}: ${reason}`
}
