import { lineRows, planRows } from '../diff/line-rows.ts'
import type { DiffRow } from '../diff/line-rows.ts'
import { diffLines } from '../diff/text-diff.ts'
import type { PartKind, TextPart } from '../diff/text-diff.ts'

/** A part of a line. The middle of a long unchanged part is folded. */
export type OutputPart = TextPart | { kind: 'folded'; characters: number }

export type OutputRow =
  | { kind: PartKind; parts: OutputPart[] }
  | { kind: 'folded'; lines: number }
  | { kind: 'rest'; bytes: number }

export interface OutputDiff {
  /** Describes the difference if the lines alone do not show it. */
  sentence: string | null
  /** Removed lines are expected, added ones actual. The first difference is in the first rows. */
  rows: OutputRow[]
}

/** How many characters beyond the length of the expected output are compared. The actual output may be much longer. */
const maxBeyond = 1000
const maxRows = 40
const contextLines = 2
const contextCharacters = 60

/** Compares the actual output with the declared one, which has at most a few thousand characters. */
export function diffOutput(declared: string, actual: Uint8Array): OutputDiff {
  const decoded = decode(actual)
  const text = decoded.text.slice(0, declared.length + maxBeyond)
  const left = new TextEncoder().encode(decoded.text.slice(text.length)).length
  const ends = { declared: declared.endsWith('\n'), actual: decoded.text.endsWith('\n') }
  const [before, after] = [withoutEnd(declared), left === 0 ? withoutEnd(text) : text]
  const onlyEnd = before === after && ends.declared !== ends.actual
  const sentences = [
    decoded.isUtf8 ? null : 'The actual output is not valid UTF-8. Invalid bytes are shown as \u{FFFD}.',
    ends.declared === ends.actual || declared === '' || actual.length === 0
      ? null
      : endSentence(ends, onlyEnd),
    wholeSentence(declared, decoded.text),
  ]
  const rows = onlyEnd ? [] : lineRows(planRows(diffLines(before, after).runs, contextLines)).map(foldRow)
  const shown = rows.slice(0, maxRows)
  if (rows.length > maxRows) shown.push({ kind: 'folded', lines: rows.length - maxRows })
  if (left > 0) shown.push({ kind: 'rest', bytes: left })
  return { sentence: sentences.filter((sentence) => sentence !== null).join(' ') || null, rows: shown }
}

/** Removes the final line break. A difference in it is described by the sentence. */
const withoutEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)

function endSentence(ends: { declared: boolean; actual: boolean }, onlyEnd: boolean): string {
  const [longer, shorter] = ends.declared ? ['expected', 'actual'] : ['actual', 'expected']
  const what = `the ${longer} output ends with a line break, but the ${shorter} one does not.`
  return onlyEnd ? `Only the end differs: ${what}` : `T${what.slice(1)}`
}

function wholeSentence(declared: string, actual: string): string | null {
  if (actual === '') return 'Nothing was written to standard output.'
  if (declared === '') return 'No output is expected.'
  if (actual.length > declared.length * 2) return null
  const plain = (lines: string): string => lines.replaceAll('\r\n', '\n')
  return plain(actual) === plain(declared)
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

/** Decodes UTF-8, with U+FFFD for invalid bytes. */
function decode(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true }
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isUtf8: false }
  }
}

/** Folds the middle of a long unchanged part. */
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

/** The start of an output as text, and the number of omitted bytes. */
export function startOf(bytes: Uint8Array, maxBytes = 4000): { text: string; leftOut: number } {
  const leftOut = Math.max(0, bytes.length - maxBytes)
  return { text: decode(bytes.subarray(0, maxBytes)).text, leftOut }
}
