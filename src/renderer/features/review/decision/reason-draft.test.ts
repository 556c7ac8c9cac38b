import { expect, test } from 'vitest'
import { appendToReason, reasonProblem, openReason, readReason } from './reason-draft.ts'

test('a reason has 10 to 2,000 characters as a person counts them, without what surrounds them', () => {
  expect(reasonProblem('  too short ')).toContain('at least 10')
  expect(reasonProblem('just enough')).toBeNull()
  expect(reasonProblem('\u{1F600}'.repeat(2000))).toBeNull()
  expect(reasonProblem('\u{1F600}'.repeat(2001))).toContain('2,000')
})

test('a sentence joins the reason that is being written, or else that of a rejection, and only once', () => {
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
