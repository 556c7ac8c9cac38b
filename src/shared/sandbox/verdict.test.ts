import { expect, test } from 'vitest'
import type { RunEnd } from '../contracts/evidence.ts'
import { verdictOf } from './verdict.ts'

const run = (stdout: string, exitCode: number | null = 0, end: RunEnd = 'exited') => ({
  end,
  exitCode,
  stdout: new TextEncoder().encode(stdout),
})

test('a run passes with exactly the expected output and exit code 0', () => {
  expect(verdictOf(run('a\n'), 'a\n')).toBe('passed')
  expect(verdictOf(run('ě'), 'ě')).toBe('passed')
  expect(verdictOf(run(''), '')).toBe('passed')
  expect(verdictOf(run('a'), 'a\n')).toBe('differs')
  expect(verdictOf(run('a\n\n'), 'a\n')).toBe('differs')
  expect(verdictOf(run('\u{FEFF}a'), 'a')).toBe('differs')
  expect(verdictOf(run('a\n', 2), 'a\n')).toBe('failed')
  expect(verdictOf(run('b\n', 2), 'a\n')).toBe('differs')
})

test('any other end is its own verdict, whatever the output', () => {
  for (const end of ['trapped', 'time-limit', 'memory-limit', 'output-limit', 'not-run'] as const) {
    expect(verdictOf(run('a', null, end), 'a')).toBe(end)
  }
})

test('a run with custom input has no expected output', () => {
  expect(verdictOf(run('a'), null)).toBe('ended')
  expect(verdictOf(run('a', 1), null)).toBe('failed')
})
