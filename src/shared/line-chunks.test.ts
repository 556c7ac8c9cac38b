import { expect, test } from 'vitest'
import { lineChunks } from './line-chunks.ts'

test.each([
  ['', []],
  ['a', ['a']],
  ['a\nb\n', ['a\nb\n']],
  ['\n'.repeat(250), ['\n'.repeat(100), '\n'.repeat(100), '\n'.repeat(50)]],
  [`${'a\n'.repeat(100)}b`, ['a\n'.repeat(100), 'b']],
])('a text is split after every hundredth line without losing anything: %#', (text, chunks) => {
  expect(lineChunks(text)).toEqual(chunks)
  expect(lineChunks(text).join('')).toBe(text)
})
