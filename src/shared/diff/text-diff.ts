// From its own file, because the package's index would add all kinds of diffs to the desk's first view.
import { diffArrays } from 'diff/lib/diff/array.js'

export type PartKind = 'same' | 'removed' | 'added'

export interface TextPart {
  kind: PartKind
  text: string
}

export interface LineRun {
  kind: PartKind
  lines: string[]
}

export interface LineDiff {
  runs: LineRun[]
  added: number
  removed: number
}

// The maximum number of edits before everything between the common ends counts as changed. The work grows with the
// square of it, so these keep it to a few milliseconds for any input.
const maxWordEdits = 200
const maxLineEdits = 300

// A word or a single other character, with the whitespace before it. Whitespace is not normalized, so a different kind
// of space is a change.
const token = /\s*(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]?)/gu
const wordless = /^[^\p{L}\p{N}]*$/u

/** Compares two texts word by word. The parts that are not removed make up exactly `after`. */
export function diffWords(before: string, after: string): TextPart[] {
  // Adds a space before the first word, so that it equals the same word elsewhere in the text.
  const tokens = (text: string): string[] =>
    text === '' ? [] : (` ${text}`.match(token) ?? []).filter((found) => found !== '')
  const runs = diffRuns(tokens(before), tokens(after), maxWordEdits)
  const parts: TextPart[] = []
  let removed = ''
  let added = ''
  const flush = (): void => {
    const space = removed === '' || added === '' ? '' : commonSpace(removed, added)
    push(parts, 'same', space)
    push(parts, 'removed', removed.slice(space.length))
    push(parts, 'added', added.slice(space.length))
    removed = ''
    added = ''
  }
  runs.forEach(({ kind, items }, index) => {
    const text = items.join('')
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    // Punctuation between two changes reads better as part of both.
    else if (index > 0 && index < runs.length - 1 && wordless.test(text)) {
      removed += text
      added += text
    } else {
      flush()
      push(parts, 'same', text)
    }
  })
  flush()
  return withoutFirstSpace(parts)
}

/** Removes the added space before the first word. */
function withoutFirstSpace(parts: TextPart[]): TextPart[] {
  const [first, second] = parts
  if (first === undefined) return parts
  first.text = first.text.slice(1)
  if (first.kind !== 'same' && second !== undefined) {
    second.text = second.text.slice(1)
    // It was at the start of one text and in the middle of the other, where it belongs to the change.
    if (second.kind === 'same') first.text += ' '
  }
  return parts.filter(({ text }) => text !== '')
}

/** Compares two texts line by line. In each change, the removed lines come first. */
export function diffLines(before: string, after: string): LineDiff {
  const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))
  const runs = diffRuns(linesOf(before), linesOf(after), maxLineEdits)
  const count = (counted: PartKind): number =>
    runs.reduce((sum, { kind, items }) => (kind === counted ? sum + items.length : sum), 0)
  return {
    runs: runs.map(({ kind, items }) => ({ kind, lines: items })),
    added: count('added'),
    removed: count('removed'),
  }
}

interface Run {
  kind: PartKind
  items: string[]
}

function diffRuns(before: string[], after: string[], maxEditLength: number): Run[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  const runs: Run[] = [{ kind: 'same', items: after.slice(0, start) }]
  const changes =
    removed.length === 0 || added.length === 0 ? undefined : diffArrays(removed, added, { maxEditLength })
  if (changes === undefined) runs.push({ kind: 'removed', items: removed }, { kind: 'added', items: added })
  else runs.push(...ordered(changes))
  runs.push({ kind: 'same', items: after.slice(after.length - end) })
  return runs.filter(({ items }) => items.length > 0)
}

/** Between two equal runs, puts all removals before all additions. */
function ordered(changes: { value: string[]; added: boolean; removed: boolean }[]): Run[] {
  const runs: Run[] = []
  let removed: string[] = []
  let added: string[] = []
  const flush = (): void => {
    runs.push({ kind: 'removed', items: removed }, { kind: 'added', items: added })
    removed = []
    added = []
  }
  for (const change of changes) {
    if (change.removed) removed.push(...change.value)
    else if (change.added) added.push(...change.value)
    else {
      flush()
      runs.push({ kind: 'same', items: change.value })
    }
  }
  flush()
  return runs
}

function push(parts: TextPart[], kind: PartKind, text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += text
  else parts.push({ kind, text })
}

function commonSpace(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length] && /\s/u.test(one[length] ?? '')) length += 1
  return one.slice(0, length)
}
