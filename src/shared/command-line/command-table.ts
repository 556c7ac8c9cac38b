/** What completion offers for an argument: files, folders, or these words (none: nothing). */
export type Completes = 'file' | 'folder' | readonly string[]

interface OptionSpec {
  type: 'string' | 'boolean'
  short?: string
  /** Placeholder for its value, such as `NAME`. */
  value?: string
  /** One line, without a period. */
  help: string
  default?: string
  /** What its value may be (default: any text). */
  completes?: Completes
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** One command of `skilldock` or `skill`: its parser, help, completion and part of the manual are made from this. */
export interface CommandEntry {
  name: string
  /** One line in the overview. */
  summary: string
  /** What follows the name of the command, one entry per form. */
  usage: readonly string[]
  /** What the command does, in lines of at most 110 characters. */
  about: string
  options: OptionSpecs
  /** Sections below the options, such as examples. */
  notes?: string
  /** What its positional arguments may be, in order (default: any text). */
  arguments?: readonly Completes[]
}

export type Rows = readonly (readonly [head: string, text: string])[]

/** A whole program, as its completion and its manual describe it. */
export interface ProgramTable {
  name: string
  version: string
  summary: string
  commands: readonly CommandEntry[]
  /** Options of every command. */
  options: OptionSpecs
  environment: Rows
  exitCodes: Rows
}

/** `--name VALUE` and what it does, for each option. */
export const optionRows = (options: OptionSpecs): Rows =>
  Object.entries(options).map(([name, { short, value, help, default: standard }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    standard === undefined ? help : withDefault(help, standard),
  ])

export const withDefault = (help: string, value: string | number): string => `${help} (default: ${value})`

/** Indented lines, with the texts in one column. */
export function formatRows(
  rows: Rows,
  width = Math.max(0, ...rows.map(([head]) => head.length)) + 1,
): string {
  return rows.map(([head, text]) => `  ${head.padEnd(width)} ${text}`).join('\n')
}

/** Lines of a table with its headings, each column as wide as its widest cell. */
export function tableLines(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows].map((cells) => cells.map((cell) => ({ cell, width: [...cell].length })))
  const widths = headings.map((_, column) => Math.max(...all.map((cells) => cells[column]?.width ?? 0)))
  return all.map((cells) =>
    cells
      .map(({ cell, width }, column) => cell + ' '.repeat((widths[column] ?? 0) - width))
      .join('  ')
      .trimEnd(),
  )
}
