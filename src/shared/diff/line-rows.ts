import { diffWords } from './text-diff.ts'
import type { LineRun, PartKind, TextPart } from './text-diff.ts'

interface LineRow {
  kind: PartKind
  parts: TextPart[]
}

/** A line, or a number of folded lines that are unchanged and far from any change. */
export type DiffRow = LineRow | { kind: 'folded'; count: number }

/** The rows of a plan. The words of changed lines are compared here, so that only the visible rows are computed. */
export function lineRows(plan: readonly RowPlan[]): DiffRow[] {
  return plan.map((row): DiffRow => {
    if (row.kind === 'folded') return row
    const whole: DiffRow = { kind: row.kind, parts: [{ kind: row.kind, text: row.line }] }
    if (row.pair === null) return whole
    const [before, after] = row.kind === 'removed' ? [row.line, row.pair] : [row.pair, row.line]
    const parts = diffWords(before, after)
    if (!isMostlyTheSame(parts)) return whole
    const other = row.kind === 'removed' ? 'added' : 'removed'
    return { kind: row.kind, parts: parts.filter(({ kind }) => kind !== other) }
  })
}

type RowPlan = { kind: PartKind; line: string; pair: string | null } | { kind: 'folded'; count: number }

/** Plans the rows of a line diff. Unchanged lines are folded except for `context` lines around each change. */
export function planRows(runs: readonly LineRun[], context: number): RowPlan[] {
  return runs.flatMap(({ kind, lines }, index): RowPlan[] => {
    const plain = (line: string): RowPlan => ({ kind, line, pair: null })
    if (kind === 'same') {
      const head = index === 0 ? 0 : context
      const tail = index === runs.length - 1 ? 0 : context
      if (lines.length <= head + tail + 1) return lines.map(plain)
      return [
        ...lines.slice(0, head).map(plain),
        { kind: 'folded', count: lines.length - head - tail },
        ...lines.slice(lines.length - tail).map(plain),
      ]
    }
    const other = kind === 'removed' ? runs[index + 1] : runs[index - 1]
    const paired = other !== undefined && other.kind === (kind === 'removed' ? 'added' : 'removed')
    return lines.map((line, at): RowPlan => ({ kind, line, pair: paired ? (other.lines[at] ?? null) : null }))
  })
}

/** Whether to mark changed words within the line, instead of showing it as a different line. */
function isMostlyTheSame(parts: readonly TextPart[]): boolean {
  const length = (same: boolean): number =>
    parts.reduce((sum, { kind, text }) => ((kind === 'same') === same ? sum + text.length : sum), 0)
  return length(true) * 2 >= length(false)
}
