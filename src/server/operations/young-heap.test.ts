import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const script = `
import { mock } from 'node:test'
import { getHeapSpaceStatistics } from 'node:v8'
mock.timers.enable({ apis: ['setTimeout'] })
const kept = []
const sizeAfter = (objects) => {
  for (let count = 0; count < objects; count += 1) kept.push({ count })
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
}
if (process.argv.length > 1) await import(process.argv[1])
const atStart = sizeAfter(500_000)
mock.timers.tick(10_000)
console.log(JSON.stringify([atStart, sizeAfter(3_000_000)]))
`

/** Bytes of the heap for young objects after work at the start, and after more work later. */
function measure(...imported: string[]): [number, number] {
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', script, '--']
  return JSON.parse(execFileSync(process.execPath, [...args, ...imported]).toString()) as [number, number]
}

test('the heap for young objects stays small during a start, and grows later', () => {
  const [usual] = measure()
  const [atStart, later] = measure(pathToFileURL(join(import.meta.dirname, 'young-heap.ts')).href)
  // Collecting in parallel takes additional pages, more of them on a busy machine.
  expect(atStart).toBeLessThan(usual / 2)
  expect(later).toBeGreaterThan(atStart)
})
