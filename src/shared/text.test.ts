import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../tests/support/cpu-time.ts'
import { countCodePoints, isBlank } from './text.ts'

test.each([
  ['', 0],
  ['naïve', 5],
  ['a\u{1F600}b', 3],
])('%j has %i code points', (text, count) => {
  expect(countCodePoints(text)).toBe(count)
})

test.each([
  ['white space', ' \t\r\n\u00A0\u2003\u3000'],
  ['zero-width characters', '\u200B\u200C\u200D\u2060\uFEFF'],
  ['direction marks', '\u200E\u200F\u202A\u2066\u2069'],
  ['fillers', '\u115F\u3164\uFFA0\u2800\u00AD'],
  ['controls', '\u0000\u0007\u001B\u0085'],
  ['tags and variation selectors', '\u{E0041}\uFE0F'],
  ['nothing', ''],
])('a text of %s is blank', (_what, text) => {
  expect([isBlank(text), isBlank(`${text}x${text}`)]).toEqual([true, false])
})

test('a long blank text is checked in linear time', () => {
  const text = '\u200B \t'.repeat(100_000)
  expect(cpuTimeOf(() => expect(isBlank(text)).toBe(true))).toBeLessThan(200)
})
