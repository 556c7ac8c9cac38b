import { describe, expect, test } from 'vitest'
import { integerOf, millisecondsOf, numberOf, textOf, timeOf } from './cell-values.ts'

describe('a time', () => {
  test.each([
    ['2026-11-01 10:00:00', '2026-11-01T10:00:00Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59Z'],
    ['2026-11-01T10:00:00Z', '2026-11-01T10:00:00Z'],
    ['2026-11-01t10:00:00.5z', '2026-11-01T10:00:00.500Z'],
    ['2026-11-01 10:00:00.123456', '2026-11-01T10:00:00.123Z'],
    ['2026-11-01T10:00:00+02:00', '2026-11-01T08:00:00Z'],
    ['2026-11-01T00:30:00-0130', '2026-11-01T02:00:00Z'],
    ['2026-11-01T10:00', '2026-11-01T10:00:00Z'],
    ['2026-11-01', '2026-11-01T00:00:00Z'],
    ['0026-11-01 10:00:00', '0026-11-01T10:00:00Z'],
  ])('%s is %s', (cell, iso) => expect(timeOf(cell)).toBe(iso))

  test.each([
    '2026-02-29 10:00:00',
    '2026-04-31 10:00:00',
    '2026-13-01 10:00:00',
    '2026-00-01 10:00:00',
    '2026-01-00 10:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01 10:60:00',
    '2026-01-01 10:00:60',
    '2026-01-01 1O:00:00',
    '2026-01-01T10:00:00+15:00',
    '0000-01-01T00:00:00+01:00',
    'yesterday',
    '',
    1_761_991_200,
    null,
  ])('%s is invalid', (cell) => expect(timeOf(cell)).toBeNull())

  test('has the same milliseconds as a JavaScript date', () => {
    expect(millisecondsOf('2026-11-01 10:00:00')).toBe(Date.UTC(2026, 10, 1, 10))
    expect(millisecondsOf('2026-11-01T10:00:00.25Z')).toBe(Date.UTC(2026, 10, 1, 10, 0, 0, 250))
  })
})

test('a number stored as text is that number, and other text is null', () => {
  for (const [cell, value] of [
    ['12', 12],
    [' -1.5 ', -1.5],
    ['1e3', 1000],
    ['.5', 0.5],
    [7, 7],
  ] as const) {
    expect(numberOf(cell), String(cell)).toBe(value)
  }
  for (const cell of [
    '',
    ' ',
    'twelve',
    '0x10',
    '1,5',
    'NaN',
    'Infinity',
    '1e999',
    null,
    Number.POSITIVE_INFINITY,
  ]) {
    expect(numberOf(cell), String(cell)).toBeNull()
  }
})

test('an integer is one that JSON numbers represent exactly', () => {
  expect(integerOf('12')).toBe(12)
  expect(integerOf(12.5)).toBeNull()
  expect(integerOf(2 ** 53)).toBeNull()
  expect(integerOf('9007199254740993')).toBeNull()
})

test('text is unchanged, and bytes are read as UTF-8', () => {
  expect(textOf('')).toBe('')
  expect(textOf(2.5)).toBe('2.5')
  expect(textOf(Buffer.from('grün'))).toBe('grün')
  expect(textOf(null)).toBeNull()
})
