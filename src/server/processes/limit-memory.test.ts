import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const limit = 400

/** Fills this many MiB without returning to its event loop. Above the limit it never ends by itself. */
const script = (mebibytes: number): string => `
  const { limitMemory } = await import(${JSON.stringify(new URL('limit-memory.ts', import.meta.url).href)})
  const mebibyte = 2 ** 20
  limitMemory(process.memoryUsage.rss() + ${limit} * mebibyte)
  const held = Array.from({ length: ${mebibytes} }, () => Buffer.alloc(mebibyte, 1))
  const until = ${mebibytes > limit ? 'Infinity' : 'performance.now() + 1000'}
  while (performance.now() < until);
  process.exit(held.length === ${mebibytes} ? 0 : 1)`

test.each([
  [100, { code: 0, signal: null }],
  [600, { code: null, signal: 'SIGKILL' }],
])(`a process limited to ${limit} MiB more that fills %s MiB ends with %o`, async (mebibytes, expected) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script(mebibytes)])
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect({ code, signal }).toEqual(expected)
  } finally {
    child.kill('SIGKILL')
  }
})
