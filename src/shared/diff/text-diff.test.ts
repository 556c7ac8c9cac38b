import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines, diffWords } from './text-diff.ts'
import type { TextPart } from './text-diff.ts'

/** `[-removed-]`, `{+added+}` */
const show = (parts: TextPart[]): string =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('')

const words = (before: string, after: string): string => show(diffWords(before, after))

test('changed words are next to each other, and spaces are kept', () => {
  expect(words('Up to 4 MiB.', 'Up to 8 MiB.')).toBe('Up to [-4-]{+8+} MiB.')
  expect(words('UTF-8 on standard input. Up to 4.', 'UTF-8 on standard input, or a file. Up to 4.')).toBe(
    'UTF-8 on standard input{+, or a file+}. Up to 4.',
  )
  expect(words('one two three', 'one three')).toBe('one[- two-] three')
  expect(words('Apache-2.0', 'MIT OR Apache-2.0')).toBe('{+MIT OR +}Apache-2.0')
  expect(words('Reads text.', 'text.')).toBe('[-Reads -]text.')
  expect(words('the same', 'the same')).toBe('the same')
})

test('punctuation between two changes is part of both', () => {
  expect(words('red, green', 'black, white')).toBe('[-red, green-]{+black, white+}')
})

test('a new text is added as a whole', () => {
  expect(diffWords('', 'All of it.')).toEqual([{ kind: 'added', text: 'All of it.' }])
  expect(diffWords('All of it.', '')).toEqual([{ kind: 'removed', text: 'All of it.' }])
})

test('invisible characters are changes like any other', () => {
  expect(words('payload', 'pay\u200Bload')).toBe('[-payload-]{+pay\u200Bload+}')
  expect(words('a b', 'a\u00A0b')).toBe('a[- b-]{+\u00A0b+}')
  expect(words('end', 'end\uFEFF')).toBe('end{+\uFEFF+}')
})

test('changed lines are shown as removed and added', () => {
  expect(diffLines('a\nb\nc', 'a\nB\nc\nd')).toEqual({
    runs: [
      { kind: 'same', lines: ['a'] },
      { kind: 'removed', lines: ['b'] },
      { kind: 'added', lines: ['B'] },
      { kind: 'same', lines: ['c'] },
      { kind: 'added', lines: ['d'] },
    ],
    added: 2,
    removed: 1,
  })
})

test('a new text has only added lines', () => {
  expect(diffLines('', 'a\n\nb')).toEqual({
    runs: [{ kind: 'added', lines: ['a', '', 'b'] }],
    added: 3,
    removed: 0,
  })
})

test('both texts can be reconstructed from the diff', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    '1',
    ' ',
    '\n',
    '\t',
    '.',
    '-',
    '\u200B',
    '\u00A0',
    'é',
    '😀',
    'e\u0301',
  )
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after)
      const without = (kind: string): string =>
        parts.map((part) => (part.kind === kind ? '' : part.text)).join('')
      expect(without('added')).toBe(before)
      expect(without('removed')).toBe(after)
      const { runs } = diffLines(before, after)
      const lines = (kind: string): string =>
        runs.flatMap((run) => (run.kind === kind ? [] : run.lines)).join('\n')
      expect(lines('added')).toBe(before)
      expect(lines('removed')).toBe(after)
    }),
  )
})

test('texts of the maximum length with nothing in common are one change, without a long search', () => {
  const words20k = (of: string): string => Array.from({ length: 4000 }, (_, at) => `${of}${at}`).join(' ')
  expect(diffWords(words20k('a'), words20k('b'))).toHaveLength(2)
  const lines20k = (of: string): string => Array.from({ length: 4000 }, (_, at) => `${of}${at}`).join('\n')
  expect(diffLines(lines20k('a'), lines20k('b'))).toMatchObject({ added: 4000, removed: 4000 })
})
