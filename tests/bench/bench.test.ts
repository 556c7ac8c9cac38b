import { expect, test } from 'vitest'
import { cleanEnvironment, projectRoot, start } from '../support/server/command-line.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'

const bench = (...args: string[]) =>
  start(process.execPath, ['tests/bench/bench.ts', ...args], cleanEnvironment(), { cwd: projectRoot }).ended

const skip = process.platform === 'linux' ? '' : ` (${ALLOWED_SKIPS.otherSystem})`

test.skipIf(skip !== '')(`a short run reports a figure with its target${skip}`, async () => {
  const { status, stdout, stderr } = await bench('--short', '--only', 'metadata/hot', '--rounds', '1')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^metadata\/hot +\S+ ± 0\.00 of peer +≥ 0\.60 +(?:met|missed) /)
})

test('an unknown figure is a usage error', async () => {
  const { status, stdout } = await bench('--only', 'nothing')
  expect(status).toBe(2)
  expect(stdout).toContain('--only NAME')
})
