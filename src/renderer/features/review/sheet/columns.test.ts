import { expect, test } from 'vitest'
import { columnsFor } from './columns.ts'

test('the width of the pane sets the number of columns, and each block is in exactly one', () => {
  expect([320, 879, 880, 1519, 1520, 1720].map((width) => columnsFor(width).length)).toEqual([
    1, 1, 2, 2, 3, 3,
  ])
  for (const width of [320, 900, 1600]) {
    expect(
      columnsFor(width)
        .flat()
        .filter((block) => block !== 'new-capabilities')
        .toSorted(),
    ).toEqual(['can-do', 'changes', 'conversation', 'did', 'documents', 'findings', 'history', 'inside'])
  }
})

test('a single column starts with the most important blocks', () => {
  expect(columnsFor(600)[0]?.slice(0, 5)).toEqual([
    'new-capabilities',
    'changes',
    'can-do',
    'did',
    'findings',
  ])
})
