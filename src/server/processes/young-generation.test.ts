import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const entry = join(import.meta.dirname, 'young-generation.ts')

/** MiB of the young generation of a process in which many objects lived for a moment, after these lines. */
function youngMegabytes(lines: string): number {
  const program = `${lines}
    const alive = []
    for (let i = 0; i < 5_000_000; i += 1) alive[i % 100_000] = { i, text: String(i) }
    const { getHeapSpaceStatistics } = await import('node:v8')
    console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size)`
  const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8' })) / 2 ** 20
}

test('the young generation does not grow with what is alive for a moment', () => {
  const small = youngMegabytes(
    `const { keepYoungGenerationSmall } = await import(${JSON.stringify(entry)}); keepYoungGenerationSmall()`,
  )
  expect(small).toBeLessThanOrEqual(4)
  expect(youngMegabytes('')).toBeGreaterThan(4 * small)
})
