import { describe, expect, test } from 'vitest'
import { diffOutput, startOf } from './output-diff.ts'
import type { OutputDiff, OutputRow } from './output-diff.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const diff = (declared: string, actual: string): OutputDiff => diffOutput(declared, bytes(actual))

const plain = (row: OutputRow): string => {
  if (row.kind === 'folded') return `… ${row.lines} lines`
  if (row.kind === 'rest') return `… ${row.bytes} bytes`
  const sign = { same: ' ', removed: '-', added: '+' }[row.kind]
  const parts = row.parts.map((part) => {
    if (part.kind === 'folded') return `[${part.characters}]`
    return part.kind === 'same' ? part.text : `{${part.text}}`
  })
  return `${sign}${parts.join('')}`
}
const rows = (declared: string, actual: string): string[] => diff(declared, actual).rows.map(plain)

describe('the sentence about a difference', () => {
  test.each([
    ['a\n', 'a', /expected output ends with a line break, but the actual one does not/],
    ['a', 'a\n', /actual output ends with a line break, but the expected one does not/],
    ['a\nb\n', 'a\r\nb\r\n', /Only line breaks differ/],
    ['a', '', /Nothing was written/],
    ['', 'a', /No output is expected/],
    ['', '\n', /^No output is expected\.$/],
    ['a\nb\n', 'a\nc', /^The expected output ends with a line break, but the actual one does not\.$/],
  ])('is shown for %j and %j', (declared, actual, sentence) => {
    expect(diff(declared, actual).sentence).toMatch(sentence)
  })

  test('is omitted if the lines show the difference', () => {
    expect(diff('a\nb\n', 'a\nc\n').sentence).toBeNull()
    expect(diff('a\n', 'a\n\n').sentence).toBeNull()
    expect(diff('a\n', 'a').rows).toEqual([])
  })

  test('mentions bytes that are not UTF-8', () => {
    expect(diffOutput('a', Uint8Array.of(0x61, 0xff)).sentence).toMatch(/not valid UTF-8/)
  })
})

describe('the lines of a difference', () => {
  test('mark the difference within a line', () => {
    expect(rows('[{"note":"two\\r\\nlines"}]', '[{"note":"two\\nlines"}]')).toEqual([
      '-[{"note":"two\\{r\\}nlines"}]',
      '+[{"note":"two\\nlines"}]',
    ])
  })

  test('start near the first difference', () => {
    const lines = (last: string): string => `${'same\n'.repeat(50)}${last}\n`
    expect(rows(lines('one 1'), lines('one 2'))).toEqual([
      '… 48 lines',
      ' same',
      ' same',
      '-one {1}',
      '+one {2}',
    ])
  })

  test('fold unchanged parts of a long line, so that the difference is visible', () => {
    const long = 'x '.repeat(900)
    const [before, after] = rows(`${long}left`, `${long}right`)
    expect(before).toMatch(/^-\[\d+\](?:x ){20,40}.*\{left\}$/)
    expect(after).toMatch(/^\+\[\d+\](?:x ){20,40}.*\{right\}$/)
  })

  test('are limited, however much was written', () => {
    const flood = diff('yes\n', 'y'.repeat(1_048_576))
    expect(flood.rows).toHaveLength(3)
    expect(flood.rows.at(-1)).toEqual({ kind: 'rest', bytes: 1_048_576 - 1004 })
    expect(diff('', 'y\n'.repeat(500_000)).rows).toHaveLength(42)
  })
})

test('the start of an output is returned as text with the number of omitted bytes', () => {
  expect(startOf(bytes('abc'))).toEqual({ text: 'abc', leftOut: 0 })
  expect(startOf(bytes('abcdef'), 4)).toEqual({ text: 'abcd', leftOut: 2 })
})
