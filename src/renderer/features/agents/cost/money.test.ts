import { expect, test } from 'vitest'
import { dollarTick, formatCents, formatUnitPrice, unpricedNote } from './money.ts'

test('an unknown amount is the word; nothing is $0 only where that is known', () => {
  expect([null, 0, 2750, 97_540, 123_456_789].map(formatCents)).toEqual([
    'unknown',
    '$0.00',
    '$27.50',
    '$975.40',
    '$1,234,567.89',
  ])
})

test('what is less than a cent is not rounded to nothing', () => {
  expect([0.4, 0.0421, 0.999].map(formatCents)).toEqual(['$0.004', '$0.00042', '$0.01'])
  expect([2.857, 16.5, 0.042].map(formatUnitPrice)).toEqual(['$0.0286', '$0.165', '$0.00042'])
})

test('calls without price are told beside an amount', () => {
  expect(unpricedNote({ cents: 10, calls: 4, unpriced: 0 })).toBeNull()
  expect(unpricedNote({ cents: null, calls: 4, unpriced: 4 })).toBe('4 calls without price')
})

test('the labels of an axis have as many digits as its step needs', () => {
  expect([dollarTick(2000, 500), dollarTick(0.5, 0.25), dollarTick(0.005, 0.005)]).toEqual([
    '$2,000',
    '$0.50',
    '$0.005',
  ])
})
