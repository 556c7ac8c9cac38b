import type { Writable } from 'node:stream'
import { styleFor } from '../../shared/colors.ts'
import type { ColorMode, Styled } from '../../shared/colors.ts'
import { tableLines } from '../../shared/command-line/command-table.ts'
import { formatBinarySize } from '../../shared/findings/define-check.ts'
import { texts } from './terminal.texts.ts'

/** Output for people. Text from outside must be escaped with `plain` first. */
export interface Terminal {
  /** Whether this is a terminal, where progress can be shown and questions asked. */
  isInteractive: boolean
  /** Columns; 80 if unknown. */
  width: number
  line(text?: string): void
  /** A faint line, such as what to do next. */
  note(text: string): void
  /** A line that says what happened to one of several things. */
  outcome(isGood: boolean, text: string): void
  /** A table, each column as wide as its widest cell. On a terminal, lines are cut at its width. */
  table(headings: readonly string[], rows: readonly (readonly string[])[]): void
  /** Replaces the status line; an empty text removes it. Does nothing if this is not a terminal. */
  status(text: string): void
  style: Styled
}

export interface Stream extends Writable {
  isTTY?: boolean
  columns?: number
}

export function createTerminal(stream: Stream, colors: ColorMode): Terminal {
  const isInteractive = stream.isTTY === true
  let shown = ''
  const clear = (): void => {
    if (shown !== '') stream.write('\r\u001B[2K')
    shown = ''
  }
  const style = styleFor(colors, isInteractive)
  return {
    isInteractive,
    get width() {
      // 0 if the terminal does not report its width.
      return stream.columns || 80
    },
    line(text = '') {
      const status = shown
      clear()
      stream.write(`${text}\n`)
      if (status !== '') this.status(status)
    },
    note(text) {
      this.line(style('dim', text))
    },
    outcome(isGood, text) {
      this.line(`${isGood ? style('green', '✓') : style('red', '✗')} ${text}`)
    },
    table(headings, rows) {
      const [head = '', ...lines] = tableLines(headings, rows).map((line) =>
        isInteractive ? cutTo(line, this.width) : line,
      )
      this.note(head)
      for (const line of lines) this.line(line)
    },
    status(text) {
      if (!isInteractive) return
      clear()
      shown = text
      stream.write(text)
    },
    style,
  }
}

// Control characters could move the cursor and overwrite text; the others break lines or change the direction of text.
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** Makes untrusted text safe to print: characters that a terminal would interpret are shown escaped. */
export function plain(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(unsafe, (character) => `\\u{${character.codePointAt(0)?.toString(16).padStart(2, '0')}}`)
}

/** JSON in which characters that a terminal would interpret are escaped. It parses to the same value. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Like `plain`, on one line. */
export function plainLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, ' ').trim()
}

function cutTo(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`
}

/**
 * `Uploading  ████████░░░░   66%  1.2 MiB of 1.8 MiB`, for the status line of this terminal. A longer one would be wrapped,
 * and only its last line replaced.
 */
export function progressBar({ width }: Terminal, what: string, done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.round(share * 24)
  const bar = '█'.repeat(filled) + '░'.repeat(24 - filled)
  const sizes = texts.progress(formatBinarySize(done), formatBinarySize(total))
  const facts = `  ${bar}  ${String(Math.floor(share * 100)).padStart(3)}%  ${sizes}`
  return cutTo(cutTo(what, width - facts.length) + facts, width)
}
