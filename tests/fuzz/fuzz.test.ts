import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { observeCoverage } from './coverage.ts'
import type { Coverage } from './coverage.ts'
import { fuzzTarget } from './fuzz-target.ts'
import type { Target } from './fuzz-target.ts'
import { readBroken } from './broken-parser.ts'

const run = promisify(execFile)

let coverage: Coverage | null = null
afterEach(() => {
  coverage?.stop()
  vi.useRealTimers()
})

const broken: Target = {
  seeds: [new Uint8Array(8)],
  words: [],
  batchSize: 250,
  read: readBroken,
}

test('6,000 inputs harm no parser, no answer takes 2 seconds, and no memory stays', async () => {
  const { stdout } = await run(
    process.execPath,
    [join(import.meta.dirname, 'fuzz.ts'), '--inputs', '6000', '--seed', '17'],
    { env: { ...process.env, NODE_V8_COVERAGE: '' } },
  )
  expect(stdout).toMatch(/^60\d{2} inputs, 0 problems$/m)
  expect(stdout.match(/ inputs in /g)).toHaveLength(13)
}, 600_000)

test.each([
  [['--inputs', 'many'], '--inputs must be a whole number from 1'],
  [['--seed', 'x'], '--seed must be a whole number'],
  [['--only', 'pdf'], '--only must be one of: module, frames,'],
])('%s is refused', async (args, message) => {
  const refused = run(process.execPath, [join(import.meta.dirname, 'fuzz.ts'), ...args])
  await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

test('an error behind four conditions is found with coverage, and not without it', async () => {
  coverage = observeCoverage((url) => url.endsWith('broken-parser.ts'))
  const found = await fuzzTarget(broken, 100_000, 1, coverage)
  expect(found.kept).toBeGreaterThanOrEqual(3)
  expect(found.problems[0]?.what).toContain('broken on purpose')
  expect(Buffer.from(found.problems[0]?.input ?? []).toString()).toMatch(/^dock/)

  const blind: Coverage = { hasNew: () => false, rememberNew: () => false, stop: () => undefined }
  expect((await fuzzTarget(broken, 100_000, 1, blind)).problems).toEqual([])
})

test('a seed that a parser fails to read is a problem', async () => {
  const blind: Coverage = { hasNew: () => false, rememberNew: () => false, stop: () => undefined }
  const failing: Target = {
    ...broken,
    read() {
      throw new Error('broken on purpose')
    },
  }
  const { problems } = await fuzzTarget(failing, 0, 1, blind)
  expect(problems.map(({ input }) => input)).toEqual(broken.seeds)
})

test('a slow answer is a problem', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const blind: Coverage = { hasNew: () => false, rememberNew: () => false, stop: () => undefined }
  const slow: Target = {
    ...broken,
    read() {
      vi.advanceTimersByTime(2010)
    },
  }
  const { problems } = await fuzzTarget({ ...slow, seeds: [], batchSize: 1 }, 1, 1, blind)
  expect(problems[0]?.what).toBe('took 2010 ms')
})
