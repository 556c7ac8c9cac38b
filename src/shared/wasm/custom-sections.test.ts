import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleNamedWat, assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { leb, listSection, moduleBytes, section } from '../../../tests/support/fixtures/wasm-bytes.ts'
import type { ModuleDetails } from '../contracts/desk-review.ts'
import { moduleDetailsSchema, moduleFactsSchema } from '../contracts/desk-review.ts'
import { DETAIL_LIMITS } from './custom-sections.ts'
import { describeModule } from './describe-module.ts'
import { decodeName, walkFunctionNames } from './name-section.ts'
import { readModule } from './read-module.ts'

const text = (value: string): number[] => [...leb(Buffer.byteLength(value)), ...Buffer.from(value)]
const custom = (name: string, contents: readonly number[]): number[] =>
  section(0, [...text(name), ...contents])
const part = (id: number, contents: readonly number[]): number[] => section(id, contents)
const names = (...entries: [index: number, name: string][]): number[] =>
  part(1, [...leb(entries.length), ...entries.flatMap(([index, name]) => [...leb(index), ...text(name)])])

const detailsOf = (bytes: Uint8Array): ModuleDetails => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  const facts = describeModule(bytes, reading.module)
  expect(moduleFactsSchema.parse(facts)).toEqual(facts)
  return moduleDetailsSchema.parse(facts.details)
}

describe('the metadata of a module', () => {
  it('contains its tables, start function and named functions', async () => {
    const bytes = await assembleNamedWat(`(module
      (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
      (table 1 9 funcref) (table 2 externref) (memory (export "memory") 1)
      (func $begin) (func $main (export "_start")) (func) (start $begin))`)
    expect(detailsOf(bytes)).toMatchObject({
      tables: [
        { elementType: 'funcref', min: 1, max: 9 },
        { elementType: 'externref', min: 2, max: null },
      ],
      start: 1,
      namedFunctions: 3,
    })
  })

  it('is empty for a module without any', async () => {
    const bytes = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    expect(detailsOf(bytes)).toEqual({
      tables: [],
      start: null,
      producers: [],
      targetFeatures: [],
      namedFunctions: 0,
      debugBytes: 0,
    })
  })

  it('contains how it was built', () => {
    const producers = [
      2,
      ...text('language'),
      1,
      ...text('Rust'),
      ...text(''),
      ...text('processed-by'),
      2,
      ...text('rustc'),
      ...text('1.91.0'),
      ...text('clang'),
      ...text('21'),
    ]
    const features = [3, 0x2b, ...text('simd128'), 0x2d, ...text('atomics'), 0x3d, ...text('bulk-memory')]
    const bytes = moduleBytes(custom('producers', producers), custom('target_features', features))
    expect(detailsOf(bytes)).toMatchObject({
      producers: [
        { field: 'language', name: 'Rust', version: '' },
        { field: 'processed-by', name: 'rustc', version: '1.91.0' },
        { field: 'processed-by', name: 'clang', version: '21' },
      ],
      targetFeatures: ['simd128', 'bulk-memory'],
    })
  })

  it('counts only names and debug sections as debug data', () => {
    const zeros = Array.from({ length: 100 }, () => 0)
    const bytes = moduleBytes(custom('name', zeros), custom('.debug_info', zeros), custom('notes', zeros))
    expect(detailsOf(bytes).debugBytes).toBe(105 + 112)
  })

  it('distinguishes custom sections from standard ones with the same name', () => {
    const bytes = moduleBytes(custom('code', [1, 2, 3]), section(1, [0]))
    const reading = readModule(bytes)
    expect(reading.ok && describeModule(bytes, reading.module).sections.map(({ name }) => name)).toEqual([
      '"code"',
      'type',
    ])
  })
})

describe('names of functions', () => {
  const read = (...contents: number[][]): Map<number, string> => {
    const bytes = moduleBytes(custom('name', contents.flat()))
    const reading = readModule(bytes)
    const found = reading.ok ? reading.module.sections[0] : undefined
    if (found === undefined) throw new Error('There is no section')
    const named = new Map<number, string>()
    walkFunctionNames(bytes, found, (index, start, length) => {
      if (length > 0) named.set(index, decodeName(bytes, start, length))
    })
    expect(detailsOf(bytes).namedFunctions).toBe(named.size)
    return named
  }

  it('are read by function index, after other subsections', () => {
    expect(read(part(0, text('module')), names([0, 'a'], [7, 'größe'], [300, 'z']), part(2, [0]))).toEqual(
      new Map([
        [0, 'a'],
        [7, 'größe'],
        [300, 'z'],
      ]),
    )
  })

  it('end at the first one that is out of order, and empty ones are ignored', () => {
    expect(read(names([1, 'a'], [5, ''], [6, 'b'], [6, 'c'], [9, 'd']))).toEqual(
      new Map([
        [1, 'a'],
        [6, 'b'],
      ]),
    )
    expect(read(names([1, 'a'], [4_000_000_000, 'b']))).toEqual(new Map([[1, 'a']]))
  })

  it('are read up to the end of a truncated section', () => {
    expect(read([1, 7, 3, 0, 1, 0x61, 2, 9, 0x62])).toEqual(new Map([[0, 'a']]))
    expect(read([1, 200])).toEqual(new Map())
    expect(read([])).toEqual(new Map())
  })

  it('may contain any characters', () => {
    expect(read(part(1, [1, 0, 2, 0xff, 0xfe]))).toEqual(new Map([[0, '\uFFFD\uFFFD']]))
    expect(read(names([0, 'x'.repeat(5000)])).get(0)).toHaveLength(1000)
  })
})

describe('hostile custom sections', () => {
  const named = fc.constantFrom('name', 'producers', 'target_features', '.debug_info', 'sourceMappingURL')
  const contents = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 8 }).map((bytes) => [...bytes]),
      fc.constantFrom(
        [0xff, 0xff, 0xff, 0xff, 0x0f],
        [0x80, 0x80, 0x80, 0x80, 0x80],
        text('language'),
        [1, 5],
        [0],
      ),
    ),
    { maxLength: 12 },
  )

  it('never cause an error', () => {
    const sections = fc.array(fc.tuple(named, contents), { maxLength: 4 })
    fc.assert(
      fc.property(sections, (list) => {
        detailsOf(moduleBytes(...list.map(([name, pieces]) => custom(name, pieces.flat()))))
      }),
      { numRuns: 10_000, seed: 20_261_121 },
    )
  })

  it('are limited in the number of entries', () => {
    const values = Array.from({ length: 500 }, () => [...text('n'), ...text('v')]).flat()
    const producers = [1, ...text('language'), ...leb(500), ...values]
    const features = [...leb(500), ...Array.from({ length: 500 }, () => [0x2b, ...text('f')]).flat()]
    const details = detailsOf(
      moduleBytes(
        listSection(4, 100, () => [0x70, 0, 1]),
        custom('producers', producers),
        custom('target_features', features),
      ),
    )
    expect(details.producers).toHaveLength(DETAIL_LIMITS.producers)
    expect(details.targetFeatures).toHaveLength(DETAIL_LIMITS.targetFeatures)
    expect(details.tables).toHaveLength(DETAIL_LIMITS.tables)
  })

  it('of 16 MiB are read in linear time', () => {
    const flood = (id: number, name: string): Uint8Array => {
      const size = 16 * 1024 * 1024 - 100
      const head = [...text(name), id, ...leb(size - 20), 0xff, 0xff, 0x7f]
      const bytes = Buffer.alloc(size, Buffer.from([1, 0]))
      bytes.set(head)
      return Uint8Array.from(Buffer.concat([moduleBytes(), Buffer.from([0, ...leb(size)]), bytes]))
    }
    for (const name of ['name', 'producers', 'target_features']) {
      const bytes = flood(1, name)
      expect(
        cpuTimeOf(() => detailsOf(bytes)),
        name,
      ).toBeLessThan(1500)
    }
  })
})
