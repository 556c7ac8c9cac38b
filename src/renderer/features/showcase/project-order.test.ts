import { expect, test } from 'vitest'
import { hasOtherOrder, moveNextTo, moveByStep } from './project-order.ts'

const rows = [1, 2, 3, 4, 5].map((id) => ({ id, featured: id < 3 }))
const ids = (order: { rows: { id: number }[]; before: number | null } | null) =>
  order && [order.rows.map(({ id }) => id).join(''), order.before]

test('a project is moved before or after another one of its group', () => {
  expect(ids(moveNextTo(rows, 5, { id: 3, after: false }))).toEqual(['12534', 3])
  expect(ids(moveNextTo(rows, 3, { id: 4, after: true }))).toEqual(['12435', 5])
})

test('at the end of its group it is before no other, even if another group follows', () => {
  expect(ids(moveNextTo(rows, 3, { id: 5, after: true }))).toEqual(['12453', null])
  expect(ids(moveByStep(rows, 1, 1))).toEqual(['21345', null])
})

test('a project cannot leave its group, and moving it to its own position is no change', () => {
  expect(moveNextTo(rows, 5, { id: 1, after: false })).toBeNull()
  expect(moveByStep(rows, 3, -1)).toBeNull()
  expect(moveByStep(rows, 5, 1)).toBeNull()
  expect(moveNextTo(rows, 4, { id: 3, after: true })).toBeNull()
  expect(moveNextTo(rows, 4, { id: 4, after: true })).toBeNull()
})

test('the order has changed if the common rows are in a different order, not if rows were added or removed', () => {
  expect(hasOtherOrder([{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 1 }])).toBe(true)
  expect(hasOtherOrder([{ id: 1 }, { id: 2 }], [{ id: 9 }, { id: 1 }, { id: 2 }])).toBe(false)
  expect(hasOtherOrder([{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 1 }, { id: 3 }])).toBe(false)
})
