import { expect, test } from 'vitest'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import type { ModuleSummary } from '../wasm/module-summary.ts'
import { readModule } from '../wasm/read-module.ts'
import { clampLimits } from './clamp-maximums.ts'

const read = (bytes: Uint8Array): ModuleSummary => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  return reading.module
}

const clamp = async (
  fields: string,
  memory = 1024,
  table = 1000,
): Promise<{ before: Uint8Array; after: Uint8Array; module: ModuleSummary }> => {
  const before = await assembleWat(`(module ${fields})`)
  const after = clampLimits(before, read(before), { memory, table: () => table })
  expect(WebAssembly.validate(after)).toBe(true)
  return { before, after, module: read(after) }
}

test.each([
  ['without a maximum', '(memory 1)', { minPages: 1, maxPages: 1024 }],
  ['with a higher one', '(memory 17 65536)', { minPages: 17, maxPages: 1024 }],
  ['at the limit from the start', '(memory 1024)', { minPages: 1024, maxPages: 1024 }],
  ['with 64-bit addresses', '(memory i64 2 281474976710656)', { minPages: 2, maxPages: 1024, is64: true }],
  ['shared', '(memory 3 65536 shared)', { minPages: 3, maxPages: 1024, shared: true }],
])('a memory %s gets the lower maximum', async (_what, fields, memory) => {
  const { module } = await clamp(`${fields} (func (drop (i32.const 1)))`)
  expect(module.memories).toMatchObject([memory])
})

test('tables get their maximum by index and keep their initial value', async () => {
  const { module } = await clamp('(table 2 funcref) (table 0 5000 externref) (table 1 7 funcref) (memory 1)')
  expect(module.tables).toMatchObject([
    { min: 2, max: 1000 },
    { min: 0, max: 1000, elementType: 'externref' },
    { min: 1, max: 7 },
  ])
})

test('the bytes are unchanged if there is nothing to lower', async () => {
  for (const fields of ['(memory 1 1024)', '(memory 1 2) (table 1 1 funcref)', '(func)']) {
    const { before, after } = await clamp(fields)
    expect(after).toBe(before)
  }
})

test('everything else is unchanged, even if the lengths need one more byte', async () => {
  const fields = `(import "a" "b" (func)) (table ${'1 funcref) (table '.repeat(40)} 1 funcref) (memory 1)
    (global i32 (i32.const 5)) (export "memory" (memory 0)) (func (export "_start") (drop (i32.load (i32.const 0))))
    (data (i32.const 0) "abc")`
  const { before, after, module } = await clamp(fields)
  expect(module.tables).toHaveLength(41)
  const rest = (bytes: Uint8Array): Buffer[] => {
    const { sections } = read(bytes)
    return sections.flatMap(({ id, offset }, index) =>
      id === 4 || id === 5 ? [] : [Buffer.from(bytes.subarray(offset, sections[index + 1]?.offset))],
    )
  }
  expect(after.length).toBeGreaterThan(before.length)
  expect(rest(after)).toEqual(rest(before))
})
