import { WASI } from 'node:wasi'
import { describe, expect, it } from 'vitest'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { checkCommandModule, MAX_PROBLEMS } from './command-module.rules.ts'
import type { ModuleSummary } from './module-summary.ts'
import { readModule } from './read-module.ts'
import { PREVIEW1_FUNCTIONS } from './wasi-preview1.ts'

const COMMAND = '(memory (export "memory") 1) (func (export "_start"))'
const WASI_MODULE = '"wasi_snapshot_preview1"'

const moduleOf = async (fields: string): Promise<ModuleSummary> => {
  const reading = readModule(await assembleWat(`(module ${fields})`))
  if (!reading.ok) throw new Error(reading.problem.message)
  return reading.module
}

const problemsOf = async (fields: string) => checkCommandModule(await moduleOf(fields))

const signatureText = (params: string[], results: string[]): string =>
  `${params.map((type) => `(param ${type})`).join(' ')} ${results.map((type) => `(result ${type})`).join(' ')}`

describe('a command module', () => {
  it('is accepted with only _start and memory', async () => {
    expect(await problemsOf(COMMAND)).toEqual([])
  })

  it('may import all 46 functions of preview 1', async () => {
    expect(PREVIEW1_FUNCTIONS.size).toBe(46)
    const known = new WASI({ version: 'preview1' }).wasiImport
    expect([...PREVIEW1_FUNCTIONS.keys()].toSorted()).toEqual(Object.keys(known).toSorted())
    const imports = [...PREVIEW1_FUNCTIONS].map(
      ([name, { params, results }]) =>
        `(import ${WASI_MODULE} "${name}" (func ${signatureText(params, results)}))`,
    )
    const module = await moduleOf(imports.join('\n') + COMMAND)
    expect(checkCommandModule(module)).toEqual([])
    expect(new Set(module.imports.map(({ name }) => name))).toHaveLength(46)
  })

  it('may not import any of them with another signature', async () => {
    for (const [name, { params, results }] of PREVIEW1_FUNCTIONS) {
      const more = `(import ${WASI_MODULE} "${name}" (func ${signatureText([...params, 'i32'], results)}))`
      const other = `(import ${WASI_MODULE} "${name}" (func ${signatureText(params, ['i64'])}))`
      // One module after another.
      const problems = [...(await problemsOf(more + COMMAND)), ...(await problemsOf(other + COMMAND))]
      expect(problems).toHaveLength(2)
      for (const { path, message } of problems) {
        expect(path).toBe(`wasm.imports.wasi_snapshot_preview1.${name}`)
        expect(message).toContain('has the signature')
      }
    }
  })

  it('may import a function twice, and may have more exports and memory than required', async () => {
    const twice = `(import ${WASI_MODULE} "proc_exit" (func (param i32)))`.repeat(2)
    expect(
      await problemsOf(`${twice} ${COMMAND} (global (export "x") i32 (i32.const 1)) (table 1 funcref)`),
    ).toEqual([])
  })
})

describe('exports', () => {
  const memory = '(memory (export "memory") 1)'
  const start = '(func (export "_start"))'

  it.each([
    ['no _start', memory, '_start', /does not export a function "_start".*executable/],
    ['a library', `${memory} (func (export "_initialize"))`, '_start', /library \(reactor\).*executable/],
    [
      '_start of another kind',
      `${memory} (global (export "_start") i32 (i32.const 0))`,
      '_start',
      /"_start" is a global/,
    ],
    [
      'a _start with a parameter',
      `${memory} (func (export "_start") (param i32))`,
      '_start',
      /\(i32\) -> \(\).*take and return nothing/,
    ],
    [
      'a _start with a result',
      `${memory} (func (export "_start") (result i32) i32.const 0)`,
      '_start',
      /\(\) -> \(i32\)/,
    ],
    ['no memory', start, 'memory', /does not export a memory named "memory"/],
    [
      'memory of another name',
      `${start} (memory (export "mem") 1)`,
      'memory',
      /as "mem"; export it as "memory"/,
    ],
    ['memory of another kind', `${start} (func (export "memory"))`, 'memory', /"memory" is a function/],
  ])('reject %s', async (_what, fields, name, message) => {
    const problems = await problemsOf(fields)
    expect(problems).toEqual([{ path: `wasm.exports.${name}`, message: expect.stringMatching(message) }])
  })

  it('lists all problems at once', async () => {
    const problems = await problemsOf('(import "env" "f" (func))')
    expect(problems.map(({ path }) => path)).toEqual([
      'wasm.exports._start',
      'wasm.exports.memory',
      'wasm.imports.env.f',
    ])
  })
})

describe('imports', () => {
  it.each([
    ['memory', '(import "env" "memory" (memory 1))', 'env.memory', /owns its memory/],
    ['shared memory', '(import "env" "memory" (memory 1 2 shared))', 'env.memory', /without threads/],
    [
      'a missing function',
      '(import "env" "puts" (func))',
      'env.puts',
      /"env" "puts" is a function.*missing at link time/,
    ],
    [
      'an Emscripten function',
      '(import "env" "emscripten_resize_heap" (func))',
      'env.emscripten_resize_heap',
      /STANDALONE_WASM/,
    ],
    ['a table', '(import "env" "t" (table 1 funcref))', 'env.t', /is a table from outside/],
    ['a global', '(import "a" "b" (global i32))', 'a.b', /is a global from outside/],
    ['a tag', '(import "a" "b" (tag))', 'a.b', /is a tag from outside/],
    [
      'preview 0',
      '(import "wasi_unstable" "fd_write" (func))',
      'wasi_unstable.fd_write',
      /preview 0; rebuild/,
    ],
    [
      'preview 2',
      '(import "wasi:io/streams@0.2.0" "drop" (func))',
      'wasi:io/streams@0.2.0.drop',
      /preview 2 interface/,
    ],
    ['threads', '(import "wasi" "thread-spawn" (func))', 'wasi.thread-spawn', /without threads/],
    [
      'a name from the object prototype',
      '(import "constructor" "x" (func))',
      'constructor.x',
      /may import only functions/,
    ],
    [
      'a function that preview 1 does not have',
      `(import ${WASI_MODULE} "sock_open" (func))`,
      'wasi_snapshot_preview1.sock_open',
      /does not exist/,
    ],
    [
      'another kind from preview 1',
      `(import ${WASI_MODULE} "fd_write" (global i32))`,
      'wasi_snapshot_preview1.fd_write',
      /is a global, but/,
    ],
  ])('reject %s', async (_what, fields, path, message) => {
    const problems = await problemsOf(fields + COMMAND)
    expect(problems).toEqual([{ path: `wasm.imports.${path}`, message: expect.stringMatching(message) }])
  })

  it('are reported with their signature and the expected one', async () => {
    const [problem] = await problemsOf(
      `(import ${WASI_MODULE} "fd_seek" (func (param i32 i32) (result i32))) ${COMMAND}`,
    )
    expect(problem?.message).toContain(
      '(i32, i32) -> (i32), but WASI preview 1 has (i32, i64, i32, i32) -> (i32)',
    )
  })

  it('are reported once each, with at most twenty problems in total', async () => {
    expect(await problemsOf('(import "env" "f" (func))'.repeat(30) + COMMAND)).toHaveLength(1)
    const many = (count: number): string =>
      Array.from({ length: count }, (_, at) => `(import "env" "f${at}" (func))`).join('') + COMMAND
    expect(await problemsOf(many(20))).toHaveLength(MAX_PROBLEMS)
    const problems = await problemsOf(many(50))
    expect(problems).toHaveLength(MAX_PROBLEMS)
    expect(problems.at(-1)?.message).toBe('There are 31 more problems like these.')
  })

  it('are reported with invisible characters escaped and long names cut', async () => {
    const [hidden] = await problemsOf(String.raw`(import "env" "a\22\0a\e2\80\aeb" (func))` + COMMAND)
    expect(hidden?.message).toContain(String.raw`"env" "a\u{22}\u{a}\u{202e}b"`)
    const [long] = await problemsOf(`(import "env" "${'x'.repeat(5_000)}" (func)) ${COMMAND}`)
    expect(long?.message.length).toBeLessThan(400)
  })
})
