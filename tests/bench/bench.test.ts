import { expect, test } from 'vitest'
import { cleanEnvironment, projectRoot, start } from '../support/server/command-line.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'

const bench = (...args: string[]) =>
  start(process.execPath, ['tests/bench/bench.ts', ...args], cleanEnvironment(), { cwd: projectRoot }).ended

const skip = process.platform === 'linux' ? '' : ` (${ALLOWED_SKIPS.otherSystem})`

/** Of these, everything that answers a read is part: the routes, caches, lists and the database. */
const budget = ['health', 'metadata/hot', 'catalog/first page', 'catalog/just after a change']

test.skipIf(skip !== '')(`reads are not slower than in the baseline${skip}`, async () => {
  const only = budget.flatMap((name) => ['--only', name])
  const { status, stdout, stderr } = await bench('--short', '--rounds', '5', ...only, '--check')
  expect(status, stdout).toBe(0)
  expect(stderr).toBe('')
  expect(stdout.match(/^\S.* ± \S+ of peer/gm)).toHaveLength(budget.length)
})

test('an unknown figure is a usage error', async () => {
  const { status, stdout } = await bench('--only', 'nothing')
  expect(status).toBe(2)
  expect(stdout).toContain('--only NAME')
})
