import { expect, test } from 'vitest'
import type { LogLine } from '../../../shared/contracts/desk-settings.ts'
import { addLines, filterLines, toneOf, writeLine } from './log-lines.ts'

const line = (n: number, change: Partial<LogLine> = {}): LogLine => ({
  n,
  at: '2026-11-20T10:00:00.000Z',
  level: 'info',
  service: 'registry',
  text: `line ${n}`,
  request: null,
  ...change,
})

const every = { service: 'all', level: 'every', text: '' } as const

test('only the newest lines are kept', () => {
  const lines = addLines([line(1), line(2)], [line(3), line(4)], 3)
  expect(lines.map(({ n }) => n)).toEqual([2, 3, 4])
  expect(addLines(lines, [])).toBe(lines)
})

test('lines are filtered by service, by minimum level and by every word of the text', () => {
  const lines = [
    line(1, { service: 'dashboard', level: 'warn' }),
    line(2, { level: 'fatal', text: 'port is taken', request: 'ab-1' }),
    line(3, { request: 'ab-12', text: 'GET /skills 200' }),
  ]
  const found = (change: Partial<Parameters<typeof filterLines>[1]>) =>
    filterLines(lines, { ...every, ...change }).map(({ n }) => n)
  expect(found({})).toEqual([1, 2, 3])
  expect(found({ service: 'dashboard' })).toEqual([1])
  expect(found({ level: 'warn' })).toEqual([1, 2])
  expect(found({ level: 'error' })).toEqual([2])
  expect(found({ text: 'id:AB-1' })).toEqual([2, 3])
  expect(found({ text: ' taken  Port ' })).toEqual([2])
  expect(found({ text: 'id:ab-1 skills' })).toEqual([3])
  expect(found({ text: 'warn' })).toEqual([1])
})

test('warnings and errors have a tone, and a copied line contains every field', () => {
  expect([toneOf({ level: 'error' }), toneOf({ level: 'warn' }), toneOf({ level: 'debug' })]).toEqual([
    'bad',
    'warn',
    undefined,
  ])
  expect(writeLine(line(1, { request: 'r-1' }))).toBe('2026-11-20T10:00:00.000Z info registry line 1 r-1')
})
