import { expect, test } from 'vitest'
import { dollarTick, formatCents, formatUnitPrice, unpricedNote } from './money.ts'

test('an unknown amount is “unknown”, and only a known 0 is $0', () => {
  expect([null, 0, 2750, 97_540, 123_456_789].map(formatCents)).toEqual([
    'unknown',
    '$0.00',
    '$27.50',
    '$975.40',
    '$1,234,567.89',
  ])
})

test('amounts below a cent are not rounded to $0', () => {
  expect([0.4, 0.0421, 0.999].map(formatCents)).toEqual(['$0.004', '$0.00042', '$0.01'])
  expect([2.857, 16.5, 0.042].map(formatUnitPrice)).toEqual(['$0.0286', '$0.165', '$0.00042'])
})

test('unpriced calls are counted in a note', () => {
  expect(unpricedNote({ cents: 10, calls: 4, unpriced: 0 })).toBeNull()
  expect(unpricedNote({ cents: null, calls: 4, unpriced: 4 })).toBe('4 unpriced calls')
})

test('axis labels have as many digits as the step needs', () => {
  expect([dollarTick(2000, 500), dollarTick(0.5, 0.25), dollarTick(0.005, 0.005)]).toEqual([
    '$2,000',
    '$0.50',
    '$0.005',
  ])
})
