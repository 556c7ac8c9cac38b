import { expect, test } from 'vitest'
import { formatMiB, formatSize, initials, listWords, plural, shortDigest } from './format.ts'
import { formatAge, formatAgo, formatSince, formatUptime, formatWhen } from './time/time.ts'

test('numbers have a unit', () => {
  expect(plural(1, 'byte')).toBe('1 byte')
  expect(plural(184_302, 'byte')).toBe('184,302 bytes')
  expect(formatMiB(65_536)).toBe('64 KiB')
  expect(formatMiB(1_114_112)).toBe('1.1 MiB')
  expect(formatMiB(16_777_216)).toBe('16 MiB')
  expect(shortDigest('9f2c41d0'.repeat(8))).toBe('9f2c…41d0')
})

test('sizes use decimal units and are exact below 1 KB', () => {
  expect(
    [0, 999, 1000, 1050, 12_400, 999_499, 999_500, 1_900_000_000, 61_000_000_000].map(formatSize),
  ).toEqual(['0 bytes', '999 bytes', '1 KB', '1.1 KB', '12 KB', '999 KB', '1 MB', '1.9 GB', '61 GB'])
})

test('initials and lists of names', () => {
  expect(['Ilse Verbeek', 'Joris de Wit', 'Developer 218', 'rita', ''].map(initials)).toEqual([
    'IV',
    'JW',
    '18',
    'R',
    '?',
  ])
  expect(listWords(['a'])).toBe('a')
  expect(listWords(['a', 'b', 'c'])).toBe('a, b and c')
})

test('times and durations are short', () => {
  const second = 1000
  const hour = 3_600_000
  expect([4 * second, 48 * 60 * second, 26 * hour, 49 * hour].map(formatAge)).toEqual([
    '4 s',
    '48 min',
    '26 h',
    '2 d',
  ])
  expect([0, 130 * second, 50 * hour].map(formatUptime)).toEqual(['0 s', '2 min 10 s', '2 d 2 h'])
  const now = new Date(2026, 10, 20, 12, 0, 0).getTime()
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
  expect(formatWhen(at(2026, 10, 20, 9, 47), now)).toBe('09:47')
  expect(formatWhen(at(2026, 10, 19, 17, 5), now)).toBe('Thu 17:05')
  expect(formatWhen(at(2026, 9, 12, 17, 5), now)).toBe('12 Oct')
  expect(formatWhen(at(2025, 9, 12, 17, 5), now)).toBe('12 Oct 2025')
  expect(formatSince(at(2026, 10, 3, 9, 0), now)).toBe('3 Nov')
  expect(formatSince(at(2026, 2, 3, 9, 0), now)).toBe('March')
  expect(formatSince(at(2025, 10, 3, 9, 0), now)).toBe('November 2025')
  expect(formatAgo(at(2026, 10, 20, 11, 56), now)).toBe('4 min ago')
  expect(formatAgo(at(2026, 10, 20, 12, 0), now)).toBe('now')
})
