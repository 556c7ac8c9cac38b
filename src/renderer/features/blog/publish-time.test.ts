import { expect, test } from 'vitest'
import { fromLocalField, proposedTime, timeProblem, toLocalField } from './publish-time.ts'

const now = new Date(2026, 10, 22, 10, 30).getTime()

test('a time survives a round trip, to the minute', () => {
  const at = new Date(2026, 10, 23, 9, 5).toISOString()
  expect(toLocalField(at)).toBe('2026-11-23T09:05')
  expect(fromLocalField('2026-11-23T09:05')).toBe(at)
  expect(fromLocalField('')).toBeNull()
})

test('only a time in the future is accepted', () => {
  expect(timeProblem('2026-11-22T10:31', now)).toBeNull()
  expect(timeProblem('2026-11-22T10:30', now)).toBe('Choose a time in the future.')
  expect(timeProblem('', now)).toBe('Enter a date and time.')
})

test('the default is tomorrow at nine', () => {
  expect(toLocalField(proposedTime(now))).toBe('2026-11-23T09:00')
})
