import { formatBinarySize } from '../../shared/findings/define-check.ts'
import { diffOutput, startOf } from '../../shared/sandbox/output-diff.ts'
import type { OutputPart, OutputRow } from '../../shared/sandbox/output-diff.ts'
import { runDetail, formatRunTime, verdictLabel } from '../../shared/sandbox/run-labels.ts'
import type { PackageProblem } from '../../shared/wasm/command-module.rules.ts'
import { failedExamples } from './check-project.ts'
import type { ExampleRun, ProjectCheck } from './check-project.ts'
import { texts } from './project.texts.ts'
import { countFindings, showFindings } from './show-findings.ts'
import { plain, plainLine } from '../terminal/terminal.ts'
import type { Style } from '../../shared/colors.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { maxTextWidth, wrap } from '../terminal/wrap.ts'

const pageBytes = 65_536
const indent = '  '

/** Prints one line each for manifest, module, findings and examples, then the findings. */
export function showCheck(terminal: Terminal, check: ProjectCheck): void {
  const { manifest, manifestProblems, module, moduleProblems, findings, examples } = check
  const { titles } = texts.check
  row(terminal, manifest === null ? 'bad' : 'good', titles.manifest, describeManifest(check))
  showProblems(terminal, manifestProblems)
  row(terminal, module === null ? 'bad' : 'good', titles.module, describeModule(check))
  showProblems(terminal, moduleProblems)
  if (manifest !== null) {
    row(terminal, findingsMark(check), titles.findings, countFindings(findings))
  }
  if (examples !== null) {
    const passed = examples.length - failedExamples(check).length
    const mark = passed === examples.length ? 'good' : 'bad'
    row(terminal, mark, titles.examples, texts.check.passed(passed, examples.length))
    for (const [index, example] of examples.entries()) showExample(terminal, example, index + 1)
  }
  if (findings.length > 0) {
    terminal.line()
    showFindings(terminal, findings)
  }
}

const marks = { good: ['green', '✓'], fair: ['yellow', '!'], bad: ['red', '✗'] } as const

function row(terminal: Terminal, mark: keyof typeof marks, title: string, text: string): void {
  const [style, sign] = marks[mark]
  terminal.line(`${terminal.style(style, sign)} ${terminal.style('bold', title.padEnd(9))} ${text}`)
}

const describeManifest = ({ manifest, manifestProblems }: ProjectCheck): string =>
  manifest === null ? texts.check.rejected(manifestProblems.length) : texts.check.valid

function describeModule({ module, moduleProblems, size }: ProjectCheck): string {
  if (module === null) return texts.check.rejected(moduleProblems.length)
  const { functionCount, imports, memory } = module
  const minMemory = formatBinarySize(memory.minPages * pageBytes)
  return texts.check.module(formatBinarySize(size), functionCount, imports.length, minMemory)
}

function findingsMark({ findings }: ProjectCheck): keyof typeof marks {
  if (findings.some(({ severity }) => severity === 'error')) return 'bad'
  return findings.some(({ severity }) => severity === 'warning') ? 'fair' : 'good'
}

function showProblems(terminal: Terminal, problems: readonly PackageProblem[]): void {
  for (const { path, message } of problems) {
    // The line above already names the module or the manifest.
    const place = path === 'wasm' || path === 'manifest' ? '' : `${path.replace(/^wasm\./, '')}: `
    for (const line of wrap(plainLine(place + message), widthOf(terminal) - indent.length)) {
      terminal.line(indent + line)
    }
  }
}

const widthOf = (terminal: Terminal): number =>
  terminal.isInteractive ? Math.max(40, Math.min(terminal.width, maxTextWidth)) : Infinity

function showExample(terminal: Terminal, { declared, verdict, run }: ExampleRun, number: number): void {
  const style: Style = verdict === 'passed' ? 'green' : 'red'
  const facts = run.end === 'not-run' ? [] : factsOf(run)
  terminal.line(
    [
      `${indent}${number}  ${terminal.style(style, verdictLabel(verdict, run.exitCode))}`,
      ...facts.map((fact) => terminal.style('dim', fact)),
    ].join('  '),
  )
  const detail = runDetail(run)
  if (detail !== null) terminal.line(`${indent}   ${plainLine(detail)}`)
  if (verdict === 'differs') showDifference(terminal, declared, run.stdout)
  if (verdict !== 'passed') showErrors(terminal, run.stderr)
}

function factsOf({ exitCode, timeMs, peakMemoryBytes, calls }: ExampleRun['run']): string[] {
  return [
    ...(exitCode === null ? [] : [texts.example.exit(exitCode)]),
    formatRunTime(timeMs),
    formatBinarySize(peakMemoryBytes),
    calls.map(({ name, count }) => `${name} ${count}`).join(', ') || texts.example.noCalls,
  ]
}

/** As in the desk: the expected and actual lines that differ, and the unchanged lines around them. */
function showDifference(terminal: Terminal, declared: string, actual: Uint8Array): void {
  const { sentence, rows } = diffOutput(declared, actual)
  if (sentence !== null) terminal.line(`${indent}   ${plainLine(sentence)}`)
  for (const one of rows) terminal.line(`${indent}   ${describeLine(terminal, one)}`)
}

/** As wide as the head of a line that differs. */
const noHead = ' '.repeat(11)

function describeLine(terminal: Terminal, line: OutputRow): string {
  const { moreLines, moreOutput, expected, actual } = texts.example
  if (line.kind === 'folded') return terminal.style('dim', noHead + moreLines(line.lines))
  if (line.kind === 'rest') return terminal.style('dim', noHead + moreOutput(line.bytes))
  const text = line.parts.map((part) => describePart(terminal, part)).join('')
  if (line.kind === 'same') return noHead + text
  return line.kind === 'removed'
    ? `${terminal.style('red', `− ${expected}`)} ${text}`
    : `${terminal.style('green', `+ ${actual}`)} ${text}`
}

/** Highlights the words that differ within a line. */
function describePart(terminal: Terminal, part: OutputPart): string {
  if (part.kind === 'folded') {
    return terminal.style('dim', texts.example.unchanged(part.characters))
  }
  const text = visible(part.text)
  if (part.kind === 'same') return text
  return terminal.style(part.kind === 'removed' ? 'red' : 'green', text)
}

/** Shows tabs and line feeds as escapes. */
const visible = (text: string): string => plain(text).replaceAll('\t', '\\t').replaceAll('\n', '\\n')

const shownErrors = 1000

function showErrors(terminal: Terminal, stderr: Uint8Array): void {
  if (stderr.length === 0) return
  const { text, leftOut } = startOf(stderr, shownErrors)
  terminal.note(`${indent}   ${texts.example.stderr}`)
  for (const line of plain(text).trimEnd().split('\n')) terminal.line(`${indent}     ${line}`)
  if (leftOut > 0) terminal.note(`${indent}     ${texts.example.moreStderr(leftOut)}`)
}
