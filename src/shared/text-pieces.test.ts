import { expect, test } from 'vitest'
import { textPieces } from './text-pieces.ts'

const shown = (text: string) =>
  textPieces(text).map((piece) => ('text' in piece ? piece.text : `<${piece.code}>`))

test('invisible characters are shown as their code', () => {
  expect(shown('pay\u200Bload')).toEqual(['pay', '<U+200B>', 'load'])
  expect(shown('\u202Eabc\u202C')).toEqual(['<U+202E>', 'abc', '<U+202C>'])
  expect(shown('a\u00A0b\u3000c')).toEqual(['a', '<U+00A0>', 'b', '<U+3000>', 'c'])
  expect(shown('tag\u{E0041}')).toEqual(['tag', '<U+E0041>'])
  expect(shown('one\r\ntwo')).toEqual(['one', '<U+000D>', '\ntwo'])
  expect(shown('\u3164')).toEqual(['<U+3164>'])
})

test('line feeds, tabs, letters of any script and emoji are unchanged', () => {
  for (const text of ['a\tb\nc d', 'Tomáš 李雷 ελ', '❤️', '👩‍👩‍👧', '👍🏽', '1️⃣']) {
    expect(shown(text)).toEqual([text])
  }
})

test('a joiner outside of an emoji is shown as its code', () => {
  expect(shown('a\u200Db')).toEqual(['a', '<U+200D>', 'b'])
  expect(shown('a\uFE0F')).toEqual(['a', '<U+FE0F>'])
})
