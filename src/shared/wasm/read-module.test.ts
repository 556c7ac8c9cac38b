import { describe, expect, it } from 'vitest'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import {
  collectedTypesModule,
  moduleBytes,
  section,
  WASM_HEADER,
} from '../../../tests/support/fixtures/wasm-bytes.ts'
import { describeModuleProblem } from './module-problem.ts'
import type { ModuleSummary } from './module-summary.ts'
import { readModule } from './read-module.ts'

const read = (bytes: Uint8Array): ModuleSummary => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(describeModuleProblem(reading.problem))
  return reading.module
}

const problemOf = (bytes: Uint8Array) => {
  const reading = readModule(bytes)
  if (reading.ok) throw new Error('the module was not refused')
  return reading.problem
}

const text = (source: string): Uint8Array => new TextEncoder().encode(source)

describe('a module', () => {
  it('is read with imports, exports, memories, tables, start and sections', async () => {
    const bytes = await assembleWat(`(module
      (import "env" "log" (func (param i32 i64) (result f32)))
      (import "env" "shared" (memory 1 4 shared))
      (import "env" "table" (table 2 externref))
      (import "env" "base" (global i32))
      (import "env" "tag" (tag (param i32)))
      (table 1 9 funcref)
      (func $run (export "run") (param f64) (result i32 i32) (local i32 i64 i64) i32.const 1 i32.const 2)
      (func $begin)
      (global (export "top") i32 (i32.const 7))
      (start $begin))`)
    const module = read(bytes)
    expect(module.imports).toEqual([
      { module: 'env', name: 'log', kind: 'function', params: ['i32', 'i64'], results: ['f32'] },
      { module: 'env', name: 'shared', kind: 'memory' },
      { module: 'env', name: 'table', kind: 'table' },
      { module: 'env', name: 'base', kind: 'global' },
      { module: 'env', name: 'tag', kind: 'tag' },
    ])
    expect(module.exports).toEqual([
      { name: 'run', index: 1, kind: 'function', params: ['f64'], results: ['i32', 'i32'] },
      { name: 'top', index: 1, kind: 'global' },
    ])
    expect(module.memories).toEqual([{ imported: true, minPages: 1, maxPages: 4, shared: true, is64: false }])
    expect(module.tables).toEqual([
      { imported: true, elementType: 'externref', min: 2, max: null, is64: false },
      { imported: false, elementType: 'funcref', min: 1, max: 9, is64: false },
    ])
    expect(module).toMatchObject({ start: 2, functionCount: 2, declaredLocals: 3, size: bytes.length })
    expect(module.sections.map(({ name }) => name)).toEqual([
      'type',
      'import',
      'function',
      'table',
      'global',
      'export',
      'start',
      'code',
    ])
    expect(module.sections[0]).toMatchObject({ id: 1, offset: 8 })
    expect(JSON.parse(JSON.stringify(module))).toEqual(module)
  })

  it('may have custom sections anywhere', () => {
    const custom = section(0, [2, 0x68, 0x69, 1, 2, 3])
    const other = section(0, [3, 0xef, 0xbb, 0xbf])
    const bytes = moduleBytes(custom, section(1, [0]), other, section(5, [1, 0, 1]), custom)
    expect(WebAssembly.validate(bytes)).toBe(true)
    const module = read(bytes)
    expect(module.customSections).toEqual(['hi', '\u{feff}'])
    expect(module.sections.map(({ id, name }) => [id, name])).toEqual([
      [0, 'hi'],
      [1, 'type'],
      [0, '\u{feff}'],
      [5, 'memory'],
      [0, 'hi'],
    ])
    expect(module.sections[0]).toEqual({ id: 0, name: 'hi', offset: 8, size: 6 })
  })

  it.each([
    ['SIMD', '(func (export "f") (param v128) (local v128))', ['v128']],
    ['reference types', '(func (export "f") (param externref funcref))', ['externref', 'funcref']],
    ['multi-value', '(func (export "f") (result i32 i64) i32.const 1 i64.const 2)', []],
    ['sign extension', '(func (export "f") (param i32) local.get 0 i32.extend8_s drop)', ['i32']],
    ['tail calls', '(func $f (export "f") (param i32) local.get 0 return_call $f)', ['i32']],
    ['exceptions', '(tag $t (param i32)) (func (export "f") i32.const 1 throw $t)', []],
    ['threads', '(memory 1 2 shared) (func (export "f") i32.const 0 i32.atomic.load drop)', []],
    [
      'relaxed SIMD',
      '(func (export "f") (param v128) local.get 0 i32x4.relaxed_trunc_f32x4_s drop)',
      ['v128'],
    ],
  ])('may use %s', async (_feature, fields, params) => {
    const bytes = await assembleWat(`(module ${fields})`)
    expect(WebAssembly.validate(bytes)).toBe(true)
    expect(read(bytes).exports).toMatchObject([{ name: 'f', kind: 'function', params }])
  })

  it('may use bulk memory with its data count section', async () => {
    const bytes = await assembleWat(`(module (memory 1) (data "abc")
      (func i32.const 0 i32.const 0 i32.const 3 memory.init 0))`)
    expect(WebAssembly.validate(bytes)).toBe(true)
    expect(read(bytes).sections.map(({ name }) => name)).toContain('data count')
  })

  it('may have a 64-bit memory and several memories', async () => {
    const wide = read(await assembleWat('(module (memory i64 1 65536))'))
    expect(wide.memories).toEqual([
      { imported: false, minPages: 1, maxPages: 65_536, shared: false, is64: true },
    ])
    // Allowed by the specification, but more than engines provide.
    const widest = moduleBytes(section(5, [1, 5, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02]))
    expect(read(widest).memories).toMatchObject([{ minPages: 0, maxPages: 2 ** 36 }])
    expect(read(moduleBytes(section(5, [2, 0, 1, 1, 2, 3]))).memories).toMatchObject([
      { minPages: 1, maxPages: null },
      { minPages: 2, maxPages: 3 },
    ])
  })

  it('may have garbage-collected types and signatures that refer to them', () => {
    const bytes = collectedTypesModule()
    expect(WebAssembly.validate(bytes)).toBe(true)
    const params = ['(ref 0)', '(ref null any)', 'structref']
    expect(read(bytes).exports).toEqual([
      { name: 'f', index: 0, kind: 'function', params, results: ['i31ref'] },
    ])
    expect(read(bytes).tables).toMatchObject([{ elementType: 'i31ref', min: 1 }])
  })

  it.each([
    ['a type index', [0x80, 0x80, 0x80, 0x80, 0x00], '(ref null 0)'],
    ['an abstract type', [0xee, 0xff, 0xff, 0xff, 0x7f], '(ref null any)'],
  ])('may have %s encoded in the maximum number of bytes', (_what, heapType, name) => {
    const bytes = moduleBytes(
      section(1, [2, 0x5f, 0, 0x60, 1, 0x63, ...heapType, 0]),
      section(2, [1, 0, 0, 0, 1]),
    )
    expect(WebAssembly.validate(bytes)).toBe(true)
    expect(read(bytes).imports).toMatchObject([{ params: [name] }])
  })

  it('may have tables with any kind of constant expression as the initial value', () => {
    const expressions = [
      [0xd2, 0, 0x0b],
      [0xd0, 0x70, 0x0b],
      [0x41, 0x7f, 0x1a, 0x0b],
      [0x42, 0xff, 0x00, 0x1a, 0x0b],
      [0x43, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b],
      [0x44, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b],
      [0x23, 0x0b, 0x0b],
      [0xfd, 12, ...Array.from({ length: 16 }, () => 0x0b), 0x0b],
      [0xfb, 8, 0x0b, 0x0b, 0xfb, 28, 0x6a, 0x0b],
    ].map((expression) => expression.filter((byte) => byte !== 0x1a))
    for (const expression of expressions) {
      expect(read(moduleBytes(section(4, [1, 0x40, 0, 0x70, 0, 1, ...expression]))).tables).toHaveLength(1)
    }
    const unknown = problemOf(moduleBytes(section(4, [1, 0x40, 0, 0x70, 0, 1, 0x10, 0, 0x0b])))
    expect(unknown).toMatchObject({ code: 'unsupported', offset: 16 })
  })
})

describe('a file that is not a module', () => {
  it.each([
    ['an empty file', new Uint8Array(), 'empty', /empty/],
    ['half a magic number', Uint8Array.of(0, 0x61, 0x73), 'truncated', /3 bytes/],
    ['half a header', Uint8Array.from(WASM_HEADER.slice(0, 7)), 'truncated', /7 bytes/],
    ['something else', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 'not-wasm', /module\.$/],
    ['text', text('\n (module)'), 'not-wasm', /WebAssembly text/],
    ['text after a comment', text(';; hello\n(module)'), 'not-wasm', /WebAssembly text/],
    ['HTML', text('<!DOCTYPE html><html>'), 'not-wasm', /HTML/],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8), 'not-wasm', /gzip/],
    ['zip', text('PK\u0003\u0004'), 'not-wasm', /zip archive/],
    ['ELF', text('\u007fELF'), 'not-wasm', /ELF/],
    ['another version', Uint8Array.from([...WASM_HEADER.slice(0, 4), 2, 0, 0, 0]), 'version', /version 2;/],
    ['another layer', Uint8Array.from([...WASM_HEADER.slice(0, 6), 2, 0]), 'version', /only version 1/],
  ])('is recognized as %s', (_what, bytes, code, message) => {
    const problem = problemOf(bytes)
    expect(problem.code).toBe(code)
    expect(problem.message).toMatch(message)
  })

  it('is recognized as a component, with advice to build a core module', () => {
    const problem = problemOf(Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0))
    expect(problem.code).toBe('component')
    expect(describeModuleProblem(problem)).toMatch(
      /is a WebAssembly component.*core module \(wasm32-wasip1\)\.$/,
    )
  })
})
