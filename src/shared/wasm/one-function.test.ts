import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import wabt from 'wabt'
import { assembleNamedWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import {
  collectedTypesModule,
  leb,
  moduleBytes,
  section,
} from '../../../tests/support/fixtures/wasm-bytes.ts'
import type { Disassembly } from './function-text.ts'
import { functionHead, instructionLines, MAX_LINES, nameCalls, stopOf } from './function-text.ts'
import { functionName, readFunctions } from './functions.ts'
import type { OneFunction } from './one-function.ts'
import { MAX_BODY_BYTES, extractFunction } from './one-function.ts'
import { readModule } from './read-module.ts'

const everything = {
  multi_value: true,
  bulk_memory: true,
  reference_types: true,
  exceptions: true,
  threads: true,
}

const take = (bytes: Uint8Array, place: number): OneFunction | null => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  return extractFunction(bytes, reading.module, readFunctions(bytes, reading.module), place)
}

const taken = (bytes: Uint8Array, place: number): OneFunction => {
  const one = take(bytes, place)
  if (one === null) throw new Error('there is no such function')
  return one
}

/** Like the desk's frame, with the real disassembler. */
const disassemble = async (one: OneFunction): Promise<Disassembly> => {
  const tools = await wabt()
  let stop: Disassembly['stop'] = null
  try {
    tools.readWasm(one.module, { check: true, ...everything })
  } catch (error) {
    stop = stopOf((error as Error).message, one)
  }
  const module = tools.readWasm(one.module, { check: false, ...everything })
  return { ...instructionLines(module.toText({})), stop }
}

const linesOf = async (bytes: Uint8Array, place: number): Promise<string[]> => {
  const { text, stop } = await disassemble(taken(bytes, place))
  expect(stop).toBeNull()
  return text.split('\n').map((line) => line.trim())
}

const repeat = (byte: number, times: number): number[] => Array.from({ length: times }, () => byte)

/** A module whose only function has these instructions. */
const withCode = (code: readonly number[], locals: readonly number[] = [0]): Uint8Array<ArrayBuffer> => {
  const size = leb(locals.length + code.length)
  return moduleBytes(
    section(1, [1, 0x60, 0, 0]),
    section(3, [1, 0]),
    section(10, [1].concat(size, locals, code)),
  )
}

const SOURCE = `(module
  (type $pair (func (param i32 i64) (result i64 i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory 1) (table 4 funcref) (global $sp (mut i32) (i32.const 0))
  (elem declare func $second)
  (data $text "hello")
  (func $first (param i32) (result i32) (local i64 f32)
    (call $second) (drop (ref.func $second)) (global.set $sp (i32.const 7))
    (memory.init $text (i32.const 0) (i32.const 0) (i32.const 5))
    (i32.const 1) (i64.const 2) (call_indirect (type $pair) (i32.const 3)) (drop) (drop)
    (i32.const 5))
  (func $second (call $exit (i32.const 9))))`

describe('one function of a module', () => {
  it('is disassembled separately, with the indices of the whole module', async () => {
    const bytes = await assembleNamedWat(SOURCE)
    const lines = await linesOf(bytes, 0)
    expect(lines).toEqual([
      'call 2',
      'ref.func 2',
      'drop',
      'i32.const 7',
      'global.set 0',
      'i32.const 0',
      'i32.const 0',
      'i32.const 5',
      'memory.init 0',
      'i32.const 1',
      'i64.const 2',
      'i32.const 3',
      'call_indirect (type 0)',
      'drop',
      'drop',
      'i32.const 5',
    ])
    expect(await linesOf(bytes, 1)).toEqual(['i32.const 9', 'call 0'])
  })

  it('excludes everything else in the module', async () => {
    const bytes = await assembleNamedWat(SOURCE)
    const reading = readModule(taken(bytes, 1).module)
    expect(reading.ok && reading.module).toMatchObject({ functionCount: 1, imports: [], memories: [] })
    expect(Buffer.from(taken(bytes, 0).module).includes('hello')).toBe(false)
  })

  it('starts with its index, name, type and local variables', async () => {
    const bytes = await assembleNamedWat(SOURCE)
    expect(functionHead(taken(bytes, 0), 1, 'first')).toEqual([
      '(func (;1;) (; first ;) (type 2) (param i32) (result i32)',
      '  (local i64 f32)',
    ])
    expect(functionHead(taken(bytes, 1), 2, null)).toEqual(['(func (;2;) (type 3)'])
    const many = withCode([0x0b], [2, ...leb(50_000), 0x7f, 1, 0x7e])
    expect(functionHead(taken(many, 0), 0, null)[1]).toBe(
      '  (; 50001 local variables: 50000 × i32, 1 × i64 ;)',
    )
  })

  it('shows the names of called functions, which cannot end a comment or start a line', async () => {
    const bytes = await assembleNamedWat(SOURCE)
    const reading = readModule(bytes)
    if (!reading.ok) throw new Error(reading.problem.message)
    const table = readFunctions(bytes, reading.module)
    const { text } = await disassemble(taken(bytes, 1))
    expect(nameCalls(text, (index) => functionName(bytes, table, index)?.name ?? null)).toBe(
      'i32.const 9\ncall 0 (; exit ;)',
    )
    expect(nameCalls('call 5', () => 'a ;)\n  unreachable')).toBe(
      String.raw`call 5 (; a ; )\u{a}  unreachable ;)`,
    )
  })

  it('shows the signatures of blocks', async () => {
    const code = [0x41, 0, 0x42, 0, 0x02, 1, 0x0b, 0x1a, 0x1a, 0x0b]
    const bytes = moduleBytes(
      section(1, [2, 0x60, 0, 0, 0x60, 2, 0x7f, 0x7e, 2, 0x7f, 0x7e]),
      section(3, [1, 0]),
      section(10, [1, code.length + 1, 0, ...code]),
    )
    expect(await linesOf(bytes, 0)).toContain('block (param i32 i64) (result i32 i64)  ;; label = @1')
  })

  it('is shown up to the offset where the disassembler fails', async () => {
    const { text, stop } = await disassemble(taken(withCode([0x41, 1, 0x1a, 0xff, 0x0b]), 0))
    expect(text).toBe('i32.const 1\ndrop')
    expect(stop).toEqual({ offset: 4, reason: 'unexpected opcode: 0xff' })
    const collected = collectedTypesModule()
    const one = taken(collected, 0)
    const second = await disassemble(one)
    expect(second.text).toBe('i32.const 1')
    expect(collected.at(one.fileOffset + (second.stop?.offset ?? 0) - 1)).toBe(0xfb)
  })

  it('is cut if it is long', async () => {
    const size = MAX_BODY_BYTES * 3
    const one = taken(withCode([...repeat(0x01, size), 0x0b]), 0)
    expect(one).toMatchObject({ size: size + 1, given: MAX_BODY_BYTES })
    const { text, cut } = await disassemble(one)
    expect(cut).toBe(true)
    expect(text.split('\n')).toHaveLength(MAX_LINES)
    const table = withCode([0x41, 0, 0x0e, ...leb(9000), ...repeat(0, 9001), 0x0b])
    const wide = await disassemble(taken(table, 0))
    expect(wide.text.length).toBeLessThan(1100)
    const deep = [...Array.from({ length: 4000 }, () => [0x02, 0x40]).flat(), ...repeat(0x0b, 4001)]
    const nested = await disassemble(taken(withCode(deep), 0))
    expect(nested.cut).toBe(true)
    expect(nested.text.length).toBeLessThan(2_100_000)
  })

  it('may be empty', async () => {
    const { text, cut, stop } = await disassemble(taken(withCode([0x0b]), 0))
    expect({ text, cut, stop }).toEqual({ text: '', cut: false, stop: null })
  })

  it('is null if it does not exist or its local variables cannot be read', () => {
    expect(take(withCode([0x0b]), 1)).toBeNull()
  })

  it('never fails, whatever the instructions are', async () => {
    const tools = await wabt()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (code) => {
        const one = taken(withCode([...code]), 0)
        const module = tools.readWasm(one.module, { check: false, ...everything })
        try {
          const { text } = instructionLines(module.toText({}))
          expect(text).not.toContain('(module')
        } finally {
          module.destroy()
        }
      }),
      { numRuns: 500, seed: 20_261_121 },
    )
  })
})
