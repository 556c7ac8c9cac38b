import { expect, test } from 'vitest'
import { colorMode, styleFor } from './colors.ts'

test.each([
  [{}, 'on a terminal'],
  [{ NO_COLOR: '' }, 'on a terminal'],
  [{ NO_COLOR: '1' }, 'never'],
  [{ NO_COLOR: '0' }, 'never'],
  [{ TERM: 'dumb' }, 'never'],
  [{ TERM: 'xterm' }, 'on a terminal'],
  [{ FORCE_COLOR: '' }, 'always'],
  [{ FORCE_COLOR: '1' }, 'always'],
  [{ FORCE_COLOR: '2' }, 'always'],
  [{ FORCE_COLOR: '3' }, 'always'],
  [{ FORCE_COLOR: 'true' }, 'always'],
  [{ FORCE_COLOR: '0' }, 'never'],
  [{ FORCE_COLOR: 'false' }, 'never'],
  [{ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, 'always'],
  [{ FORCE_COLOR: '0', NO_COLOR: '' }, 'never'],
] as const)('the environment %j means colors: %s', (environment, mode) => {
  expect(colorMode(environment)).toBe(mode)
})

test('text is styled if the mode and the stream say so', () => {
  const red = '\u001B[31mx\u001B[39m'
  expect(styleFor('always', false)('red', 'x')).toBe(red)
  expect(styleFor('on a terminal', true)('red', 'x')).toBe(red)
  expect(styleFor('on a terminal', false)('red', 'x')).toBe('x')
  expect(styleFor('never', true)('red', 'x')).toBe('x')
})
