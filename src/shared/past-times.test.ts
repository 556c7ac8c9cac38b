import { expect, test } from 'vitest'
import { createPastTimes } from './past-times.ts'

const hourMs = 3_600_000
const start = Date.parse('2026-11-01T00:00:00.000Z')
const after = (hours: number): Date => new Date(start + hours * hourMs)

test('a time in the past is unchanged', () => {
  expect(createPastTimes()('2026-10-31T23:00:00.000Z', after(0))).toBe(start - hourMs)
})

test('times in the future count as the moment when the first of them was noticed', () => {
  const read = createPastTimes()
  expect(read('2027-11-01T00:00:00.000Z', after(1))).toBe(start + hourMs)
  expect(read('2027-11-01T00:00:00.000Z', after(25))).toBe(start + hourMs)
  expect(read('2027-12-01T00:00:00.000Z', after(25))).toBe(start + hourMs)
})

test('setting the clock back again does not move that moment into the future', () => {
  const read = createPastTimes()
  read('2027-11-01T00:00:00.000Z', after(48))
  expect(read('2027-11-01T00:00:00.000Z', after(1))).toBe(start + hourMs)
})
