import { expect, test } from 'vitest'
import { tokenFormat, tokenWords } from './tokens.ts'

test('the numbers of a table have one unit', () => {
  const large = tokenFormat([48_100_000, 212, null])
  expect([48_100_000, 1_234_567_890, 949_999, 212, 0, null].map(large)).toEqual([
    '48.1 M',
    '1,234.6 M',
    '0.9 M',
    '<0.1 M',
    '0.0 M',
    'unknown',
  ])
  const small = tokenFormat([48_100, 212, null])
  expect([48_100, 212, 0, null].map(small)).toEqual(['48,100', '212', '0', 'unknown'])
})

test('an amount in a sentence carries its unit', () => {
  expect(tokenWords(1_100_000)).toBe('1.1 M tokens')
  expect(tokenWords(1)).toBe('1 token')
  expect(tokenWords(null)).toBe('an unknown number of tokens')
})
