import { expect, test } from 'vitest'
import { notesProblem } from './notes.ts'

test('notes have 10 to 2,000 characters as a person counts them, without what surrounds them', () => {
  expect(notesProblem('  too short ')).toContain('at least 10')
  expect(notesProblem('just enough')).toBeNull()
  expect(notesProblem('\u{1F600}'.repeat(2000))).toBeNull()
  expect(notesProblem('\u{1F600}'.repeat(2001))).toContain('2,000')
})
