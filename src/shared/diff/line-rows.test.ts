import { expect, test } from 'vitest'
import { lineRows, planRows } from './line-rows.ts'
import { diffLines } from './text-diff.ts'

const rows = (before: string[], after: string[], context = 1): string[] => {
  const { runs } = diffLines(before.join('\n'), after.join('\n'))
  const signs = { same: ' ', removed: '-', added: '+' }
  return lineRows(planRows(runs, context)).map((row) => {
    if (row.kind === 'folded') return `(${row.count})`
    const text = row.parts.map((part) => (part.kind === 'same' ? part.text : `[${part.text}]`)).join('')
    return `${signs[row.kind]}${text}`
  })
}

test('lines far from a change are folded', () => {
  expect(rows(['1', '2', '3', '4', '5'], ['1', '2', '3', '4', 'five'])).toEqual([
    '(3)',
    ' 4',
    '-[5]',
    '+[five]',
  ])
  expect(rows(['x', '2', '3', '4', 'y'], ['2', '3', '4'])).toEqual(['-[x]', ' 2', ' 3', ' 4', '-[y]'])
  expect(rows(['x', '2', '3', '4', '5', 'y'], ['2', '3', '4', '5'])).toEqual([
    '-[x]',
    ' 2',
    '(2)',
    ' 5',
    '-[y]',
  ])
})

test('in a line with a small change, the changed words are marked', () => {
  expect(rows(['It reads up to 4 MiB of text.'], ['It reads up to 8 MiB of text.'])).toEqual([
    '-It reads up to [4] MiB of text.',
    '+It reads up to [8] MiB of text.',
  ])
})

test('a line with a large change is shown as a whole', () => {
  expect(rows(['It reads files.'], ['See the manual of the format.'])).toEqual([
    '-[It reads files.]',
    '+[See the manual of the format.]',
  ])
})

test('lines without a counterpart are shown as a whole', () => {
  expect(rows(['one two three'], ['one two 3', 'four'])).toEqual([
    '-one two [three]',
    '+one two [3]',
    '+[four]',
  ])
})
