import { expect, test } from 'vitest'
import { splitArguments } from './split-arguments.ts'

test.each([
  ['', []],
  ['  ', []],
  ['--n 3', ['--n', '3']],
  ['a  "b c" d', ['a', 'b c', 'd']],
  [`--sep=' ' ""`, ['--sep= ', '']],
  [`it"'"s`, ["it's"]],
  ['"open end', ['open end']],
  ['\\n', ['\\n']],
])('%j', (line, expected) => {
  expect(splitArguments(line)).toEqual(expected)
})
