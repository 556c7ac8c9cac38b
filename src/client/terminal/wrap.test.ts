import { expect, test } from 'vitest'
import { wrap } from './wrap.ts'

test('lines are broken between words, and stay whole where they may be as long as they are', () => {
  expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrap('one two three four', 18)).toEqual(['one two three four'])
  expect(wrap('one two three four', Infinity)).toEqual(['one two three four'])
})

test('a word that is too long has a line of its own, and characters are counted as one sees them', () => {
  expect(wrap('a https://example.com/long b', 10)).toEqual(['a', 'https://example.com/long', 'b'])
  expect(wrap('😀😀 😀😀', 5)).toEqual(['😀😀 😀😀'])
  expect(wrap('', 10)).toEqual([''])
})
