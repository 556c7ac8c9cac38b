import type { Finding, FindingPlace, JudgedFinding, Severity } from '../../shared/contracts/findings.ts'
import { countOf } from '../../shared/text.ts'
import { texts } from './project.texts.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Style } from '../../shared/colors.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { maxTextWidth, wrap } from '../terminal/wrap.ts'

const { heads, dismissed } = texts.finding

const colors: Record<Severity, Style> = { error: 'red', warning: 'yellow', note: 'cyan' }

/** Prints each finding with the reason, advice and dismissal, if there is one. */
export function showFindings(terminal: Terminal, findings: readonly (Finding | JudgedFinding)[]): void {
  for (const finding of findings) {
    const { severity, check, place, title, reason, advice } = finding
    const judgement = 'judgement' in finding ? finding.judgement : null
    terminal.line(`${terminal.style(colors[severity], severity.padEnd(7))}  ${plainLine(title)}`)
    const rows: (readonly [string, string])[] = [
      [heads.where, describePlace(place)],
      [heads.why, reason],
      [heads.advice, advice],
      ...(judgement === null
        ? []
        : [[heads.status, dismissed(judgement.judgedBy, judgement.reason)] as const]),
      [heads.check, check],
    ]
    for (const [head, text] of rows) {
      const [first = '', ...more] = wrap(plainLine(text), textWidth(terminal))
      terminal.line(`         ${terminal.style('dim', head.padEnd(8))}${first}`)
      for (const line of more) terminal.line(textIndent + line)
    }
  }
}

const textIndent = ' '.repeat(17)

/** Lines are wrapped on a terminal only, so that piped output can be searched. */
const textWidth = ({ isInteractive, width }: Terminal): number =>
  isInteractive ? Math.max(30, Math.min(width, maxTextWidth) - textIndent.length) : Infinity

function describePlace(place: FindingPlace): string {
  if (place.kind === 'module') return texts.finding.inModule
  if (place.kind === 'field') return texts.finding.inField(place.field)
  return texts.finding.inBytes(place.length, place.offset.toString(16))
}

/** `2 errors, 1 warning`; `no findings`. */
export function countFindings(findings: readonly Finding[]): string {
  const counts = (['error', 'warning', 'note'] as const)
    .map(
      (severity) => [severity, findings.filter((finding) => finding.severity === severity).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => countOf(count, severity))
  return counts.length === 0 ? texts.finding.none : counts.join(', ')
}
