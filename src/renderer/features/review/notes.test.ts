import { expect, test } from 'vitest'
import { appendToNotes, notesProblem, openNotes, readNotes } from './notes.ts'

test('notes have 10 to 2,000 characters as a person counts them, without what surrounds them', () => {
  expect(notesProblem('  too short ')).toContain('at least 10')
  expect(notesProblem('just enough')).toBeNull()
  expect(notesProblem('\u{1F600}'.repeat(2000))).toBeNull()
  expect(notesProblem('\u{1F600}'.repeat(2001))).toContain('2,000')
})

test('a sentence joins the notes that are being written, else those of a rejection, and only once', () => {
  expect(appendToNotes(7, 'First.')).toBe('rejected')
  appendToNotes(7, 'Second.')
  appendToNotes(7, 'First.')
  openNotes.set({ releaseId: 7, action: 'approved' })
  expect(appendToNotes(7, 'Third.')).toBe('approved')
  expect(appendToNotes(8, 'Of another release.')).toBe('rejected')
  openNotes.set(null)
  expect(readNotes(7, 'rejected')).toBe('First.\n\nSecond.')
  expect(readNotes(7, 'approved')).toBe('Third.')
})
