import { hexOf } from '../text.ts'
import { optionRows } from './command-table.ts'
import type { CommandEntry, ProgramTable, Rows } from './command-table.ts'

/** The manual page of a program, in the format of man (roff). */
export function printManual(table: ProgramTable): string {
  const { name, version, summary, commands, options, environment, exitCodes } = table
  return [
    `.TH ${name.toUpperCase()} 1 "" ${quoted(`${name} ${version}`)} "User Commands"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(name)}`,
    '.I COMMAND',
    '[options]',
    '.SH COMMANDS',
    ...commands.flatMap((command) => commandLines(name, command)),
    '.SH OPTIONS',
    'Every command has these options.',
    ...rowLines(optionRows(options)),
    '.SH ENVIRONMENT',
    ...rowLines(environment),
    '.SH EXIT STATUS',
    ...rowLines(exitCodes),
    '',
  ].join('\n')
}

function commandLines(
  program: string,
  { name, summary, usage, about, options, notes }: CommandEntry,
): string[] {
  return [
    `.SS ${quoted(name)}`,
    `${escaped(summary)}.`,
    ...usage.flatMap((form) => ['.PP', `.B ${quoted(`${program} ${name} ${form}`.trim())}`]),
    '.PP',
    ...textLines(about),
    ...rowLines(optionRows(options)),
    ...(notes === undefined ? [] : ['.PP', ...textLines(notes)]),
  ]
}

const rowLines = (rows: Rows): string[] =>
  rows.flatMap(([head, text]) => ['.TP', `.B ${quoted(head)}`, ...text.split('\n').map(escaped)])

/** Paragraphs are filled; those with indented lines, such as examples, keep their lines. */
function textLines(text: string): string[] {
  return text
    .trim()
    .split('\n\n')
    .flatMap((paragraph, at) => {
      const lines = paragraph.split('\n').map(escaped)
      const isVerbatim = lines.some((line) => line.startsWith(' '))
      return [...(at === 0 ? [] : ['.PP']), ...(isVerbatim ? ['.nf', ...lines, '.fi'] : lines)]
    })
}

/** Text that roff prints unchanged: in ASCII, with hyphens, and never a request. */
function escaped(line: string): string {
  const text = line
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/[^\u0020-\u007E]/gu, (character) => String.raw`\[u${hexOf(character)}]`)
  return /^[.']/.test(text) ? String.raw`\&` + text : text
}

/** One argument of a request. */
const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '""')}"`
