import type { OneFunction } from './one-function.ts'
import { printable } from './printable.ts'

/** Maximum number of lines and characters that a page shows. More would not be read. */
export const MAX_LINES = 20_000
const MAX_CHARS = 2_000_000
const MAX_LINE_CHARS = 1000

/** If there are more local variables, only their total number and the number of each type are shown. */
const MAX_LOCALS = 20

/** The input of the disassembler. */
export interface DisassemblyQuestion {
  module: Uint8Array<ArrayBuffer>
  /** Offset of the instructions in `module`. */
  smallOffset: number
}

/** The output of the disassembler. */
export interface Disassembly {
  /** The instructions, one per line, without the first and last line of the function. */
  text: string
  /** Whether there are more lines. */
  cut: boolean
  /** Why it stopped early, and how many bytes of instructions it had read; null if it did not. */
  stop: { offset: number; reason: string } | null
}

const INDENT = 4
const FUNCTION_HEAD = '\n  (func '

/** Extracts the instructions from the text of a module with a single function. */
export const instructionLines = (text: string): Pick<Disassembly, 'text' | 'cut'> => {
  const head = text.indexOf(FUNCTION_HEAD)
  let at = head === -1 ? -1 : text.indexOf('\n', head + FUNCTION_HEAD.length)
  const lines: string[] = []
  let chars = 0
  while (at !== -1 && lines.length < MAX_LINES && chars < MAX_CHARS) {
    const next = text.indexOf('\n', at + 1)
    const line = text.slice(at + 1 + INDENT, next === -1 ? text.length : next)
    if (line !== '') lines.push(line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} …` : line)
    chars += lines.at(-1)?.length ?? 0
    at = next
  }
  const cut = at !== -1 && text.slice(at).trim() !== ''
  const last = lines.at(-1)
  // Remove the parentheses that close the function and the module.
  if (!cut && last !== undefined) lines[lines.length - 1] = last.replace(/\){2}$/, '')
  return { text: lines.join('\n'), cut }
}

/** Parses a disassembler's error message, such as `000001e: error: unexpected opcode: 0xff`. */
export const stopOf = (
  message: string,
  { module, smallOffset }: DisassemblyQuestion,
): Disassembly['stop'] => {
  const found = /^([0-9a-f]+): error: (.*)$/m.exec(message)
  if (found === null) return { offset: 0, reason: message }
  const offset = Number.parseInt(found[1] ?? '', 16)
  // The small module has no sections after the code, so an error at its end is expected.
  return offset >= module.length
    ? null
    : { offset: Math.max(0, offset - smallOffset), reason: found[2] ?? '' }
}

/** A name as a comment, escaped so that it cannot end the comment. */
const comment = (name: string): string =>
  `(; ${printable(name).replaceAll(';)', '; )').replaceAll('(;', '( ;')} ;)`

const group = (keyword: string, types: readonly string[]): string =>
  types.length === 0 ? '' : ` (${keyword} ${types.join(' ')})`

/** The first lines of a function: its index, name, type and local variables. */
export const functionHead = (one: OneFunction, index: number, name: string | null): string[] => {
  const title = name === null ? '' : ` ${comment(name)}`
  const head = `(func (;${index};)${title} (type ${one.type})${group('param', one.params)}${group('result', one.results)}`
  const locals = one.locals.filter(({ count }) => count > 0)
  if (locals.length === 0) return [head]
  const total = locals.reduce((sum, { count }) => sum + count, 0)
  if (total > MAX_LOCALS) {
    const summaries = locals.map(({ count, type }) => `${count} × ${type}`)
    return [head, `  (; ${total} local variables: ${summaries.join(', ')} ;)`]
  }
  return [
    head,
    ` ${group(
      'local',
      locals.flatMap(({ count, type }) => Array.from({ length: count }, () => type)),
    )}`,
  ]
}

const CALL = /^(\s*(?:return_call|call|ref\.func) )(\d+)$/

/** Adds the names of called functions to the lines that refer to them by index. */
export const nameCalls = (text: string, nameOf: (index: number) => string | null): string =>
  text
    .split('\n')
    .map((line) => {
      const index = CALL.exec(line)?.[2]
      const name = index === undefined ? null : nameOf(Number(index))
      return name === null ? line : `${line} ${comment(name)}`
    })
    .join('\n')
