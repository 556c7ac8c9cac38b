import { expect, test } from 'vitest'
import { toggleSentence } from './reasons.ts'

test('a ticked sentence enters the notes and leaves them again', () => {
  const one = toggleSentence('', 'First.')
  expect(one).toBe('First.')
  const two = toggleSentence(`${one} Because.`, 'Second.')
  expect(two).toBe('First. Because.\n\nSecond.')
  expect(toggleSentence(two, 'Second.')).toBe('First. Because.')
})

test('a sentence in the middle leaves no gap', () => {
  expect(toggleSentence('A.\n\nB.\n\nC.', 'B.')).toBe('A.\n\nC.')
})
