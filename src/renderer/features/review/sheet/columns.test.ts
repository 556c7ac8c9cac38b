import { expect, test } from 'vitest'
import { columnsFor } from './columns.ts'

test('the width of the pane decides how many columns there are, and every block stands in one of them', () => {
  expect([320, 879, 880, 1519, 1520, 1720].map((width) => columnsFor(width).length)).toEqual([
    1, 1, 2, 2, 3, 3,
  ])
  for (const width of [320, 900, 1600]) {
    expect(
      columnsFor(width)
        .flat()
        .filter((block) => block !== 'growth')
        .toSorted(),
    ).toEqual(['can-do', 'changes', 'did', 'documents', 'findings', 'history', 'inside'])
  }
})

test('in one column what counts most comes first', () => {
  expect(columnsFor(600)[0]?.slice(0, 5)).toEqual(['growth', 'changes', 'can-do', 'did', 'findings'])
})
