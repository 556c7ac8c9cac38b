import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { collectedTypesModule, WASM_HEADER } from '../../../tests/support/fixtures/wasm-bytes.ts'
import type { ModuleProblemCode } from './module-problem.ts'
import type { ModuleReading } from './module-summary.ts'
import { readModule } from './read-module.ts'

// The reader may reject a module that an engine accepts only if it exceeds one of the reader's own limits.
const NAMED_LIMITS: ReadonlySet<ModuleProblemCode> = new Set(['limit'])

// Far more than needed: these files have a few hundred bytes.
const MAX_MS = 250

const SEEDS = [
  `(module (memory (export "memory") 1) (func (export "_start")))`,
  `(module
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 2 9)
    (data (i32.const 8) "hello\\0a")
    (func (export "_start") (local i32 i64 v128)
      (i32.store (i32.const 0) (i32.const 8)) (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 20)))))`,
  `(module
    (import "env" "m" (memory 1 4 shared)) (import "env" "t" (table 2 externref)) (import "env" "g" (global i32))
    (tag $e (param i32)) (table 1 9 funcref) (global (mut i64) (i64.const -1))
    (func $f (param f32 f64) (result i32 i32) i32.const 1 i32.const 2)
    (func $s (export "s") (local funcref) i32.const 1 throw $e)
    (start $s) (elem (table 1) (i32.const 0) func $f) (data "passive")
    (func (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1))))`,
  `(module (memory i64 1 3) (table 4 funcref) (func (export "a") (param v128) (result v128) local.get 0)
    (func (export "b") (param externref) (result externref) local.get 0))`,
]

const COLLECTED = collectedTypesModule()

let seeds: Uint8Array[] = []

beforeAll(async () => {
  seeds = [...(await Promise.all(SEEDS.map(assembleWat))), COLLECTED]
})

const judge = (bytes: Uint8Array<ArrayBuffer>, reading: ModuleReading): void => {
  if (reading.ok) return
  expect(reading.problem.offset).toBeGreaterThanOrEqual(0)
  expect(reading.problem.offset).toBeLessThanOrEqual(bytes.length)
  if (NAMED_LIMITS.has(reading.problem.code)) return
  expect(WebAssembly.validate(bytes), JSON.stringify(reading.problem)).toBe(false)
}

/** Reads the bytes, which must not throw, and compares the result with the engine's. */
const compare = (bytes: Uint8Array<ArrayBuffer>): void => {
  const took = cpuTimeOf(() => judge(bytes, readModule(bytes)))
  expect(took).toBeLessThan(MAX_MS)
}

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

type Edit = { kind: 'set' | 'insert' | 'remove'; at: number; byte: number }

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'insert', 'remove'),
  at: place,
  byte: fc.oneof(
    fc.nat(255),
    fc.nat(16),
    fc.constantFrom(0x40, 0x4e, 0x50, 0x60, 0x63, 0x7b, 0x7f, 0x80, 0xff),
  ),
})

const apply = (bytes: Uint8Array, { kind, at, byte }: Edit): Uint8Array<ArrayBuffer> => {
  const list = [...bytes]
  // The header is kept: without it, every file would be rejected at its first bytes.
  const offset = 8 + Math.floor(at * (bytes.length - 8))
  list.splice(offset, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]))
  return Uint8Array.from(list)
}

describe('the reader compared with the engine', () => {
  it('reads the modules that the fuzzing starts with', () => {
    for (const seed of seeds) {
      expect(WebAssembly.validate(Uint8Array.from(seed))).toBe(true)
      expect(readModule(seed).ok).toBe(true)
    }
  })

  it('survives changed bytes, and rejects nothing that the engine accepts', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(edit, { minLength: 1, maxLength: 4 }), (pick, edits) => {
        const seed = seeds[pick % seeds.length] ?? COLLECTED
        compare(edits.reduce(apply, Uint8Array.from(seed)))
      }),
      { numRuns: 20_000, seed: 20_260_401 },
    )
  })

  it('survives every byte value at every offset of a small module', () => {
    for (const seed of [seeds[0] ?? COLLECTED, COLLECTED]) {
      for (let at = 0; at < seed.length; at += 1) {
        for (let byte = 0; byte < 256; byte += 1) {
          const bytes = Uint8Array.from(seed)
          bytes[at] = byte
          compare(bytes)
        }
      }
    }
  })

  it('survives every truncation', () => {
    for (const seed of seeds) {
      for (let length = 0; length < seed.length; length += 1)
        compare(Uint8Array.from(seed.subarray(0, length)))
    }
  })

  it('survives random bytes, with and without a header', () => {
    const random = fc.uint8Array({ maxLength: 400 })
    fc.assert(
      fc.property(random, fc.boolean(), (noise, withHeader) => {
        compare(Uint8Array.from(withHeader ? [...WASM_HEADER, ...noise] : noise))
      }),
      { numRuns: 5_000, seed: 20_260_402 },
    )
  })

  it('survives random contents of every section', () => {
    const entry = fc.record({ id: fc.nat(14), contents: fc.uint8Array({ maxLength: 60 }) })
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), (sections) => {
        const bytes = sections.flatMap(({ id, contents }) => [id, contents.length, ...contents])
        compare(Uint8Array.from([...WASM_HEADER, ...bytes]))
      }),
      { numRuns: 10_000, seed: 20_260_403 },
    )
  })
})
