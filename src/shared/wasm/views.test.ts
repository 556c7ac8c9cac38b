import { beforeAll, describe, expect, it } from 'vitest'
import { assembleNamedWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { millionFunctionsModule } from '../../../tests/support/fixtures/big-modules.ts'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import type { FunctionView } from './function-view.ts'
import { arrangeFunctions, functionRow } from './function-view.ts'
import type { FunctionTable } from './functions.ts'
import { readFunctions } from './functions.ts'
import { readModule } from './read-module.ts'
import type { StringView } from './string-view.ts'
import { arrangeStrings, stringRow } from './string-view.ts'
import type { StringTable } from './strings.ts'
import { findStrings } from './strings.ts'

let bytes: Uint8Array
let functions: FunctionTable
let strings: StringTable

beforeAll(async () => {
  bytes = await assembleNamedWat(`(module
    (import "wasi_snapshot_preview1" "proc_exit" (func (param i32)))
    (memory 1)
    (data "the first text\\00http://a.example/\\00the last text")
    (func $middle (drop (i32.const 1)))
    (func $largest (drop (i32.const 1)) (drop (i32.const 1)))
    (func (drop (i32.const 1)))
    (func $also_small))`)
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  functions = readFunctions(bytes, reading.module)
  strings = findStrings(bytes, reading.module.sections, { known: 10, other: 10 })
})

const view = (change: Partial<FunctionView>): (string | number)[] =>
  Array.from(
    arrangeFunctions(bytes, functions, { sort: 'size', descending: true, filter: '', ...change }),
    (place) => {
      const { name, index } = functionRow(bytes, functions, place)
      return name ?? index
    },
  )

describe('a view of functions', () => {
  it('is sorted by size, index or name, in either direction; ties by index, functions without a name last', () => {
    expect(view({})).toEqual(['largest', 'middle', 3, 'also_small'])
    expect(view({ descending: false })).toEqual(['also_small', 'middle', 3, 'largest'])
    expect(view({ sort: 'index', descending: false })).toEqual(['middle', 'largest', 3, 'also_small'])
    expect(view({ sort: 'index', descending: true })).toEqual(['also_small', 3, 'largest', 'middle'])
    expect(view({ sort: 'name', descending: false })).toEqual(['also_small', 'largest', 'middle', 3])
    expect(view({ sort: 'name', descending: true })).toEqual(['middle', 'largest', 'also_small', 3])
  })

  it('is filtered by a part of the name, ignoring case', () => {
    expect(view({ filter: ' L' })).toEqual(['largest', 'middle', 'also_small'])
    expect(view({ filter: 'MIDD' })).toEqual(['middle'])
    expect(view({ filter: 'nothing' })).toEqual([])
  })

  it('is filtered by index or offset', () => {
    expect(view({ filter: '3' })).toEqual([3])
    const { offset } = functionRow(bytes, functions, 1)
    expect(view({ filter: `0x${(offset + 3).toString(16)}` })).toEqual(['largest'])
    expect(view({ filter: '0x0' })).toEqual([])
  })

  it('of a million functions takes well under a second', () => {
    const module = millionFunctionsModule(16 * 1024 * 1024)
    const reading = readModule(module)
    if (!reading.ok) throw new Error(reading.problem.message)
    const table = readFunctions(module, reading.module)
    const sort = { sort: 'size', descending: true, filter: '' } as const
    expect(cpuTimeOf(() => arrangeFunctions(module, table, sort))).toBeLessThan(2000)
  })
})

describe('a view of strings', () => {
  const texts = (change: Partial<StringView>): string[] =>
    Array.from(
      arrangeStrings(bytes, strings, { kind: 'all', filter: '', ...change }),
      (index) => stringRow(bytes, strings, index).text,
    )

  it('is filtered by kind and text, in file order', () => {
    expect(texts({})).toEqual(['the first text', 'http://a.example/', 'the last text'])
    expect(texts({ kind: 'address' })).toEqual(['http://a.example/'])
    expect(texts({ filter: 'TEXT' })).toEqual(['the first text', 'the last text'])
    expect(texts({ kind: 'address', filter: 'text' })).toEqual([])
  })
})
