import { expect, test } from 'vitest'
import { isOtherOrder, placeBeside, placeByStep } from './project-order.ts'

const rows = [1, 2, 3, 4, 5].map((id) => ({ id, featured: id < 3 }))
const ids = (order: { rows: { id: number }[]; before: number | null } | null) =>
  order && [order.rows.map(({ id }) => id).join(''), order.before]

test('a project is put before or after another one of its group', () => {
  expect(ids(placeBeside(rows, 5, { id: 3, after: false }))).toEqual(['12534', 3])
  expect(ids(placeBeside(rows, 3, { id: 4, after: true }))).toEqual(['12435', 5])
})

test('at the end of its group it stands before nothing, also where the other group follows', () => {
  expect(ids(placeBeside(rows, 3, { id: 5, after: true }))).toEqual(['12453', null])
  expect(ids(placeByStep(rows, 1, 1))).toEqual(['21345', null])
})

test('nothing leaves its group, and what stays in its place is no change', () => {
  expect(placeBeside(rows, 5, { id: 1, after: false })).toBeNull()
  expect(placeByStep(rows, 3, -1)).toBeNull()
  expect(placeByStep(rows, 5, 1)).toBeNull()
  expect(placeBeside(rows, 4, { id: 3, after: true })).toBeNull()
  expect(placeBeside(rows, 4, { id: 4, after: true })).toBeNull()
})

test('the order has changed where those that both have stand otherwise, not where one came or went', () => {
  expect(isOtherOrder([{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 1 }])).toBe(true)
  expect(isOtherOrder([{ id: 1 }, { id: 2 }], [{ id: 9 }, { id: 1 }, { id: 2 }])).toBe(false)
  expect(isOtherOrder([{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 1 }, { id: 3 }])).toBe(false)
})
