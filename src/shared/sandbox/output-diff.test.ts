import { describe, expect, test } from 'vitest'
import { diffOutput, startOf } from './output-diff.ts'
import type { OutputDiff, OutputRow } from './output-diff.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const diff = (declared: string, real: string): OutputDiff => diffOutput(declared, bytes(real))

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
const rows = (declared: string, real: string): string[] => diff(declared, real).rows.map(plain)

describe('a difference in words', () => {
  test.each([
    ['a\n', 'a', /declared output ends with a line break, the real one does not/],
    ['a', 'a\n', /real output ends with a line break, the declared one does not/],
    ['a\nb\n', 'a\r\nb\r\n', /Only line breaks differ/],
    ['a', '', /Nothing was written/],
    ['', 'a', /No output is declared/],
    ['', '\n', /^No output is declared\.$/],
    ['a\nb\n', 'a\nc', /^The declared output ends with a line break, the real one does not\.$/],
  ])('%j and %j', (declared, real, sentence) => {
    expect(diff(declared, real).sentence).toMatch(sentence)
  })

  test('is not said where the lines say it', () => {
    expect(diff('a\nb\n', 'a\nc\n').sentence).toBeNull()
    expect(diff('a\n', 'a\n\n').sentence).toBeNull()
    expect(diff('a\n', 'a').rows).toEqual([])
  })

  test('names bytes that are no text', () => {
    expect(diffOutput('a', Uint8Array.of(0x61, 0xff)).sentence).toMatch(/not UTF-8/)
  })
})

describe('the lines', () => {
  test('show what differs within a line', () => {
    expect(rows('[{"note":"two\\r\\nlines"}]', '[{"note":"two\\nlines"}]')).toEqual([
      '-[{"note":"two\\{r\\}nlines"}]',
      '+[{"note":"two\\nlines"}]',
    ])
  })

  test('begin near the first difference', () => {
    const lines = (last: string): string => `${'same\n'.repeat(50)}${last}\n`
    expect(rows(lines('one 1'), lines('one 2'))).toEqual([
      '… 48 lines',
      ' same',
      ' same',
      '-one {1}',
      '+one {2}',
    ])
  })

  test('fold what is the same in a long one, so that the difference is in sight', () => {
    const long = 'x '.repeat(900)
    const [before, after] = rows(`${long}left`, `${long}right`)
    expect(before).toMatch(/^-\[\d+\](?:x ){20,40}.*\{left\}$/)
    expect(after).toMatch(/^\+\[\d+\](?:x ){20,40}.*\{right\}$/)
  })

  test('are few, however much was written', () => {
    const flood = diff('yes\n', 'y'.repeat(1_048_576))
    expect(flood.rows).toHaveLength(3)
    expect(flood.rows.at(-1)).toEqual({ kind: 'rest', bytes: 1_048_576 - 1004 })
    expect(diff('', 'y\n'.repeat(500_000)).rows).toHaveLength(42)
  })
})

test('the beginning of an output is text, with how much is left out', () => {
  expect(startOf(bytes('abc'))).toEqual({ text: 'abc', leftOut: 0 })
  expect(startOf(bytes('abcdef'), 4)).toEqual({ text: 'abcd', leftOut: 2 })
})
