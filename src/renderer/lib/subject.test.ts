import { expect, test } from 'vitest'
import { subjectOf } from './subject.ts'

test.each([
  ['Ilse Verbeek', 'ilse.verbeek'],
  ['Tomáš Novák', 'tomas.novak'],
  ["  Ana  O'Neill ", 'ana.o.neill'],
  ['李雷', ''],
])('the sign-in name of %s', (name, subject) => {
  expect(subjectOf(name)).toBe(subject)
})
