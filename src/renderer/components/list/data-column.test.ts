import { expect, test } from 'vitest'
import { gridWidths, headSort, minTableWidth } from './data-column.ts'
import type { DataColumn, Sorting } from './data-column.ts'

test('a column heading sorts the table, starting with its default order, and then reverses it', () => {
  const sorted: Sorting<'name' | 'score'>[] = []
  const columns: readonly Omit<DataColumn<never, 'name' | 'score'>, 'cell'>[] = [
    { label: 'Name', sort: 'name' },
    { label: 'Score', sort: 'score', descends: true, numeric: true },
    { label: 'Note' },
  ]
  const [name, score, note] = columns.map((column) =>
    headSort(column, {
      now: { sort: 'name', order: 'asc' },
      onSort: (next) => sorted.push(next),
    }),
  )
  expect([name?.sort, score?.sort, note?.sort]).toEqual(['ascending', 'none', undefined])
  name?.onSort?.()
  score?.onSort?.()
  expect(sorted).toEqual([
    { sort: 'name', order: 'desc' },
    { sort: 'score', order: 'desc' },
  ])
  expect(note?.onSort).toBeUndefined()
})

test('a column has a fixed width, or a minimum and a share of the rest', () => {
  const columns = [{ width: 72 }, { width: [140, 1.4] }, { width: [90, 1] }] as const
  expect(gridWidths(columns)).toBe('72px minmax(140px, 1.4fr) minmax(90px, 1fr)')
  expect(minTableWidth(columns, 12)).toBe(326)
})
