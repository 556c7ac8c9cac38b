import { lineRows, planRows } from '../diff/line-rows.ts'
import type { DiffRow } from '../diff/line-rows.ts'
import { diffLines } from '../diff/text-diff.ts'
import type { PartKind, TextPart } from '../diff/text-diff.ts'

/** A piece of a line; of what is the same and long, only the ends are shown. */
export type OutputPart = TextPart | { kind: 'folded'; characters: number }

export type OutputRow =
  | { kind: PartKind; parts: OutputPart[] }
  | { kind: 'folded'; lines: number }
  | { kind: 'rest'; bytes: number }

export interface OutputDiff {
  /** What the difference is, where a sentence says more than the lines. */
  sentence: string | null
  /** Removed lines are the declared ones, added ones the real ones; the first difference is in the first rows. */
  rows: OutputRow[]
}

/** Of the real output so much more than of the declared is compared; it may be a thousand times as long. */
const mostBeyond = 1000
const mostRows = 40
const contextLines = 2
const contextCharacters = 60

/** How the real output differs from the declared one, which has at most some thousand characters. */
export function diffOutput(declared: string, real: Uint8Array): OutputDiff {
  const decoded = decode(real)
  const text = decoded.text.slice(0, declared.length + mostBeyond)
  const left = new TextEncoder().encode(decoded.text.slice(text.length)).length
  const ends = { declared: declared.endsWith('\n'), real: decoded.text.endsWith('\n') }
  const [before, after] = [withoutEnd(declared), left === 0 ? withoutEnd(text) : text]
  const onlyEnd = before === after && ends.declared !== ends.real
  const sentences = [
    decoded.isUtf8 ? null : 'The real output is not UTF-8. Bytes that are none are shown as \u{FFFD}.',
    ends.declared === ends.real || declared === '' || real.length === 0 ? null : endSentence(ends, onlyEnd),
    wholeSentence(declared, decoded.text),
  ]
  const rows = onlyEnd ? [] : lineRows(planRows(diffLines(before, after).runs, contextLines)).map(foldRow)
  const shown = rows.slice(0, mostRows)
  if (rows.length > mostRows) shown.push({ kind: 'folded', lines: rows.length - mostRows })
  if (left > 0) shown.push({ kind: 'rest', bytes: left })
  return { sentence: sentences.filter((sentence) => sentence !== null).join(' ') || null, rows: shown }
}

/** The line break at the end is no line more; what differs in it is said in words. */
const withoutEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)

function endSentence(ends: { declared: boolean; real: boolean }, onlyEnd: boolean): string {
  const [longer, shorter] = ends.declared ? ['declared', 'real'] : ['real', 'declared']
  const what = `the ${longer} output ends with a line break, the ${shorter} one does not.`
  return onlyEnd ? `Only the end differs: ${what}` : `T${what.slice(1)}`
}

/** What can be said of all of it. */
function wholeSentence(declared: string, real: string): string | null {
  if (real === '') return 'Nothing was written to standard output.'
  if (declared === '') return 'No output is declared.'
  if (real.length > declared.length * 2) return null
  const plain = (lines: string): string => lines.replaceAll('\r\n', '\n')
  return plain(real) === plain(declared)
    ? 'Only line breaks differ: CR LF on one side, LF on the other.'
    : null
}

const foldRow = (row: DiffRow): OutputRow =>
  row.kind === 'folded'
    ? { kind: 'folded', lines: row.count }
    : { kind: row.kind, parts: row.parts.flatMap(fold) }

interface Decoded {
  text: string
  isUtf8: boolean
}

/** As UTF-8, with U+FFFD for what is none. */
function decode(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true }
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isUtf8: false }
  }
}

/** Of a long piece that is the same on both sides, the ends beside what differs. */
function fold(part: TextPart, index: number, parts: readonly TextPart[]): OutputPart[] {
  if (part.kind !== 'same' || parts.length === 1 || part.text.length <= contextCharacters * 3) return [part]
  const head = index === 0 ? 0 : contextCharacters
  const tail = index === parts.length - 1 ? 0 : contextCharacters
  const end = part.text.length - tail
  const pieces: OutputPart[] = [
    { kind: 'same', text: part.text.slice(0, head) },
    { kind: 'folded', characters: end - head },
    { kind: 'same', text: part.text.slice(end) },
  ]
  return pieces.filter((piece) => piece.kind === 'folded' || piece.text !== '')
}

/** The beginning of an output as text, and how many bytes are left out of it. */
export function startOf(bytes: Uint8Array, most = 4000): { text: string; leftOut: number } {
  const leftOut = Math.max(0, bytes.length - most)
  return { text: decode(bytes.subarray(0, most)).text, leftOut }
}
