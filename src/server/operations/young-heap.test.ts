import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const script = `
import { mock } from 'node:test'
import { getHeapSpaceStatistics } from 'node:v8'
mock.timers.enable({ apis: ['setTimeout'] })
await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'young-heap.ts')).href)})
const kept = []
const sizeAfterWork = () => {
  for (let count = 0; count < 500_000; count += 1) kept.push({ count })
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
}
const before = sizeAfterWork()
mock.timers.tick(10_000)
console.log(JSON.stringify([before, sizeAfterWork()]))
`

test('the heap for young objects stays small during a start, and grows later', () => {
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', script]
  const [atStart = 0, later = 0] = JSON.parse(execFileSync(process.execPath, args).toString()) as number[]
  expect(atStart).toBeLessThanOrEqual(4 * 1024 * 1024)
  expect(later).toBeGreaterThan(2 * atStart)
})
