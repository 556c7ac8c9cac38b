import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findStopwatches, measuring } from './support/measuring.ts'

const root = join(import.meta.dirname, '..')

test('no test that runs in parallel with others limits elapsed time', () => {
  const files = globSync(['src/**/*.test.ts', 'resources/**/*.test.ts', 'tests/**/*.{test,spec}.ts'], {
    cwd: root,
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !measuring.includes(file) && file !== 'tests/stopwatches.test.ts')
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) =>
    findStopwatches(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  )
  // Compare durations of the same run, measure CPU time (tests/support/cpu-time.ts), or run alone (tests/support/measuring.ts).
  expect(found).toEqual([])
})

test.each([
  'expect(performance.now() - start).toBeLessThan(1000)',
  'const took = performance.now() - start\nexpect(took).toBeLessThan(1000)',
  'times.push(performance.now() - start)\nexpect(median(times)).toBeLessThan(5)',
  'const crowded = await measureRequests(url, 30)\nexpect(crowded.median).toBeLessThan(100)',
  'slowest = Math.max(slowest, performance.now() - before)\nexpect(slowest).toBeLessThanOrEqual(20)',
  "await expect(row(page, 'reader')).toContainText('777', { timeout: 2000 })",
  'const soon = { timeout: 2_000 }',
  "expect(Date.now() - began, 'the open stream must not hold up the end').toBeLessThan(3000)",
])('%j limits elapsed time', (source) => {
  expect(findStopwatches(source)).toHaveLength(1)
})

test.each([
  'expect(performance.now() - start).toBeGreaterThan(190)',
  'expect(Date.now() - Date.parse(at)).toBeLessThan(10_000)',
  'const took = cpuTimeOf(work)\nexpect(took).toBeLessThan(20)',
  "test('x', { tag: '@alone' }, () => {\n  expect(performance.now() - start).toBeLessThan(100)",
  "test('x', { tag: '@alone' }, async () => {\n  await expect(news).toBeVisible({ timeout: 2000 })",
  'await expect(news).toBeVisible({ timeout: 20_000 })',
])('%j does not limit elapsed time', (source) => {
  expect(findStopwatches(source)).toEqual([])
})

test('every listed file exists', () => {
  expect(globSync(measuring, { cwd: root })).toHaveLength(measuring.length)
})
