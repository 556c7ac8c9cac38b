import { describe, expect, it } from 'vitest'
import { hungryLocalsModule, millionFunctionsModule } from '../../../tests/support/fixtures/big-modules.ts'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { leb, listSection, moduleBytes, section } from '../../../tests/support/fixtures/wasm-bytes.ts'
import { maxPackageBytes } from '../contracts/releases.ts'
import { LIMITS, type ModuleSummary } from './module-summary.ts'
import { readModule } from './read-module.ts'

const read = (bytes: Uint8Array): ModuleSummary => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  return reading.module
}

const limitOf = (bytes: Uint8Array): string => {
  const reading = readModule(bytes)
  if (reading.ok || reading.problem.code !== 'limit') throw new Error('no limit was met')
  return reading.problem.message
}

const letters = (length: number): number[] => Array.from({ length }, () => 0x61)

const digits = (at: number): number[] => String(at).padStart(5, '0').split('').map(Number)

const FUNC = [0x60, 0, 0]

const funcOf = (parameters: number): number[] => [
  0x60,
  ...leb(parameters),
  ...Array.from({ length: parameters }, () => 0x7f),
  0,
]

describe('limits', () => {
  it('reads a file as large as a package may be, and rejects a larger one', () => {
    expect(LIMITS.moduleBytes).toBe(maxPackageBytes)
    expect(read(millionFunctionsModule(maxPackageBytes)).size).toBe(maxPackageBytes)
    expect(limitOf(new Uint8Array(maxPackageBytes + 1))).toMatch(/16777217 bytes/)
  })

  it.each([
    ['imports', (count: number) => moduleBytes(listSection(2, count, () => [0, 0, 3, 0x7f, 0]))],
    ['exports', (count: number) => moduleBytes(listSection(7, count, (at) => [5, ...digits(at), 3, 0]))],
    ['memories', (count: number) => moduleBytes(listSection(5, count, () => [0, 1]))],
    ['tables', (count: number) => moduleBytes(listSection(4, count, () => [0x70, 0, 1]))],
    ['sections', (count: number) => moduleBytes(...Array.from({ length: count }, () => section(0, [0])))],
  ])('reads 10,000 %s and rejects one more', (what, build) => {
    expect(readModule(build(10_000)).ok).toBe(true)
    expect(limitOf(build(10_001))).toBe(`The module has 10001 ${what}; the maximum is 10000`)
  })

  it('reads a name of 100,000 bytes and rejects a longer one', () => {
    const named = (length: number): Uint8Array =>
      moduleBytes(listSection(7, 1, () => [...leb(length), ...letters(length), 2, 0]))
    expect(read(named(100_000)).exports[0]?.name).toHaveLength(100_000)
    expect(limitOf(named(100_001))).toMatch(/the name of an export has 100001 bytes/)
  })

  it('reads 1 MiB of names and rejects more', () => {
    const full = Array.from({ length: 16 }, () => section(0, [...leb(65_536), ...letters(65_536)]))
    expect(read(moduleBytes(...full)).sections).toHaveLength(16)
    expect(limitOf(moduleBytes(...full, section(0, [1, 0x61])))).toMatch(/exceed 1 MiB in total/)
  })

  it('reads functions of 1,000 parameters or results and rejects one more, as the engine does', () => {
    const typed = (count: number): Uint8Array<ArrayBuffer> =>
      moduleBytes(listSection(1, 1, () => funcOf(count)))
    expect(readModule(typed(1_000)).ok).toBe(true)
    expect(limitOf(typed(1_001))).toMatch(/1001 parameters; the maximum is 1000/)
    expect([1_000, 1_001].map((count) => WebAssembly.validate(typed(count)))).toEqual([true, false])
    const results = [0x60, 0, ...leb(1_001), ...Array.from({ length: 1_001 }, () => 0x7f)]
    expect(limitOf(moduleBytes(listSection(1, 1, () => results)))).toMatch(/1001 results/)
  })

  it('reads imports with 100,000 parameters in total and rejects more', () => {
    const type = listSection(1, 1, () => funcOf(1_000))
    const importing = (count: number): Uint8Array =>
      moduleBytes(
        type,
        listSection(2, count, () => [0, 0, 0, 0]),
      )
    expect(read(importing(100)).imports).toHaveLength(100)
    expect(limitOf(importing(101))).toMatch(/more than 100000 parameters in total/)
  })

  it('reads a million types and rejects one more', () => {
    const group = (count: number): number[] => [
      0x4e,
      ...leb(count),
      ...Array.from({ length: count }, () => FUNC).flat(),
    ]
    const typed = (inGroup: number): Uint8Array =>
      moduleBytes(section(1, [...leb(2), ...group(inGroup)].concat(group(500_000))))
    expect(readModule(typed(500_000)).ok).toBe(true)
    expect(limitOf(typed(500_001))).toMatch(/more than 1000000 types/)
  })

  it('rejects more than a million functions', () => {
    const bytes = moduleBytes(
      section(1, [1, ...FUNC]),
      listSection(3, 1_000_001, () => [0]),
    )
    expect(limitOf(bytes)).toMatch(/1000001 functions; the maximum is 1000000/)
  })

  it('reads a hundred million declared locals and rejects more', () => {
    expect(read(hungryLocalsModule(2_000)).declaredLocals).toBe(100_000_000)
    expect(limitOf(hungryLocalsModule(2_001))).toMatch(/more than 100000000 local variables/)
  })
})

// The fastest of three runs, because the first one includes compiling the reader.
const fastest = (bytes: Uint8Array): number =>
  Math.min(...[1, 2, 3].map(() => cpuTimeOf(() => void readModule(bytes))))

describe('speed', () => {
  it('reads 16 MiB of a million functions in less than 100 ms', () => {
    const bytes = millionFunctionsModule(16 * 1024 * 1024)
    expect(read(bytes)).toMatchObject({ functionCount: 1_000_000, declaredLocals: 0 })
    expect(fastest(bytes)).toBeLessThan(100)
  })

  it('rejects a million functions with 50,000 locals each in less than 100 ms', () => {
    const bytes = hungryLocalsModule()
    expect(bytes.length).toBeGreaterThan(8_000_000)
    expect(limitOf(bytes)).toMatch(/local variables/)
    expect(fastest(bytes)).toBeLessThan(100)
  })

  it('is not reduced by ten thousand names of custom sections', () => {
    const sections = Array.from({ length: 10_000 }, (_, at) => section(0, [5, ...digits(at)]))
    expect(fastest(moduleBytes(...sections))).toBeLessThan(100)
  })
})
