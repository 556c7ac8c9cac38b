import { expect, test } from 'vitest'
import { wrap } from './wrap.ts'

test('text is broken between words, and not at all if it fits', () => {
  expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrap('one two three four', 18)).toEqual(['one two three four'])
  expect(wrap('one two three four', Infinity)).toEqual(['one two three four'])
})

test('a word that is too long gets its own line, and a surrogate pair counts as one character', () => {
  expect(wrap('a https://example.com/long b', 10)).toEqual(['a', 'https://example.com/long', 'b'])
  expect(wrap('😀😀 😀😀', 5)).toEqual(['😀😀 😀😀'])
  expect(wrap('', 10)).toEqual([''])
})
