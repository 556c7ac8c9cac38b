import { expect, test } from 'vitest'
import { appendToReason, reasonProblem, openReason, readReason } from './reason-draft.ts'

test('a reason has 10 to 2,000 code points, not counting surrounding whitespace', () => {
  expect(reasonProblem('  too short ')).toContain('at least 10')
  expect(reasonProblem('just enough')).toBeNull()
  expect(reasonProblem('\u{1F600}'.repeat(2000))).toBeNull()
  expect(reasonProblem('\u{1F600}'.repeat(2001))).toContain('2,000')
})

test('a sentence is appended once, to the open reason or otherwise to the rejection', () => {
  expect(appendToReason(7, 'First.')).toBe('rejected')
  appendToReason(7, 'Second.')
  appendToReason(7, 'First.')
  openReason.set({ releaseId: 7, action: 'approved' })
  expect(appendToReason(7, 'Third.')).toBe('approved')
  expect(appendToReason(8, 'Of another release.')).toBe('rejected')
  openReason.set(null)
  expect(readReason(7, 'rejected')).toBe('First.\n\nSecond.')
  expect(readReason(7, 'approved')).toBe('Third.')
})
