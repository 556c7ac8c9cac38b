import { beforeAll, describe, expect, it } from 'vitest'
import { assembleNamedWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { millionFunctionsModule } from '../../../tests/support/fixtures/big-modules.ts'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { leb, moduleBytes, section } from '../../../tests/support/fixtures/wasm-bytes.ts'
import type { FunctionTable } from './functions.ts'
import { functionAt, functionName, readFunctions } from './functions.ts'
import { readModule } from './read-module.ts'

const SOURCE = `(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "wasi_snapshot_preview1" "fd_close" (func (param i32) (result i32)))
  (func $small)
  (func (export "_start") (call $small) (call $exit (i32.const 0)))
  (func $named (export "other") (param i32) (result i32) (local i64 i64) local.get 0)
  (func))`

const read = (bytes: Uint8Array): FunctionTable => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  return readFunctions(bytes, reading.module)
}

let bytes: Uint8Array

beforeAll(async () => {
  bytes = await assembleNamedWat(SOURCE)
})

describe('functions of a module', () => {
  it('are those with a body, with its offset and size', () => {
    const table = read(bytes)
    expect(table.imported).toBe(2)
    expect([...table.sizes]).toEqual([2, 8, 6, 2])
    expect(table.codeSize).toBe(18)
    for (const [place, offset] of table.offsets.entries()) {
      const size = table.sizes[place] ?? 0
      expect(bytes[offset - 1]).toBe(size)
      expect(bytes[offset + size - 1]).toBe(0x0b)
    }
  })

  it('are named by the name section, otherwise by an import or export', () => {
    const table = read(bytes)
    const names = Array.from({ length: 6 }, (_, index) => functionName(bytes, table, index))
    expect(names).toEqual([
      { name: 'exit', source: 'name' },
      { name: 'wasi_snapshot_preview1.fd_close', source: 'import' },
      { name: 'small', source: 'name' },
      { name: '_start', source: 'export' },
      { name: 'named', source: 'name' },
      null,
    ])
  })

  it('are found by an offset within their body', () => {
    const table = read(bytes)
    for (const [place, offset] of table.offsets.entries()) {
      expect(functionAt(table, offset)).toBe(place)
      expect(functionAt(table, offset + (table.sizes[place] ?? 0) - 1)).toBe(place)
      expect(functionAt(table, offset - 1)).toBeNull()
    }
    expect(functionAt(table, bytes.length)).toBeNull()
  })

  it('are empty for a module without code', () => {
    const table = read(moduleBytes())
    expect(table).toMatchObject({ imported: 0, count: 0, codeSize: 0 })
    expect(functionAt(table, 8)).toBeNull()
  })

  it('may have invalid names: of functions that do not exist, or not in UTF-8', () => {
    const named = (...entries: number[][]): number[] => {
      const map = [entries.length, ...entries.flat()]
      return section(0, [4, ...Buffer.from('name'), 1, ...leb(map.length), ...map])
    }
    const module = moduleBytes(
      section(1, [1, 0x60, 0, 0]),
      section(3, [2, 0, 0]),
      section(10, [2, 2, 0, 0x0b, 2, 0, 0x0b]),
      named([0, 1, 0xff], [1, 2, 0x61, 0x0a], [99, 1, 0x62]),
    )
    const table = read(module)
    expect(functionName(module, table, 0)?.name).toBe('\uFFFD')
    expect(functionName(module, table, 1)?.name).toBe('a\n')
    expect(functionName(module, table, 99)).toBeNull()
  })

  it('are read quickly, even a million of them', () => {
    const module = millionFunctionsModule(16 * 1024 * 1024)
    const reading = readModule(module)
    if (!reading.ok) throw new Error(reading.problem.message)
    let table: FunctionTable | undefined
    // About 20 ms.
    expect(cpuTimeOf(() => (table = readFunctions(module, reading.module)))).toBeLessThan(1000)
    expect(table?.count).toBe(1_000_000)
    expect(table?.codeSize).toBe(2_000_000)
  })
})
