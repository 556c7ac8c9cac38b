import { expect, test } from 'vitest'
import { signInNameOf } from './sign-in-name.ts'

test.each([
  ['Ilse Verbeek', 'ilse.verbeek'],
  ['Tomáš Novák', 'tomas.novak'],
  ["  Ana  O'Neill ", 'ana.o.neill'],
  ['李雷', ''],
])('the sign-in name of %s', (name, subject) => {
  expect(signInNameOf(name)).toBe(subject)
})
