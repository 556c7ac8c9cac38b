import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WASI } from 'node:wasi'
import { afterAll, describe, expect, test } from 'vitest'
import { runModule } from '../../src/shared/sandbox/run-module.ts'
import { defaultRunLimits } from '../../src/shared/sandbox/run-limits.ts'
import { createRandom } from '../chaos/random.ts'
import { runSkill } from '../support/client/run-skill.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { ALLOWED_SKIPS, requireProgram } from '../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-differential-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Outcome {
  stdout: string
  exitCode: number
}

const stdin = 'first line\nsecond line\n'

function inSandbox(bytes: Uint8Array<ArrayBuffer>): Outcome {
  const { stdout, exitCode } = runModule({
    bytes,
    stdin: Buffer.from(stdin),
    args: [],
    limits: defaultRunLimits,
  })
  return { stdout: Buffer.from(stdout).toString('latin1'), exitCode: exitCode ?? -1 }
}

async function inShim(bytes: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const { stdout, exitCode } = await runSkill(bytes, stdin)
  return { stdout: Buffer.from(stdout).toString('latin1'), exitCode }
}

async function inNode(bytes: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  writeFileSync(join(folder, 'in'), stdin)
  const input = openSync(join(folder, 'in'), 'r')
  const output = openSync(join(folder, 'out'), 'w')
  try {
    const wasi = new WASI({
      version: 'preview1',
      args: ['skill'],
      stdin: input,
      stdout: output,
      stderr: output,
      returnOnExit: true,
    })
    const module = await WebAssembly.compile(bytes)
    const exitCode = wasi.start(
      await WebAssembly.instantiate(module, wasi.getImportObject() as WebAssembly.Imports),
    )
    return { stdout: readFileSync(join(folder, 'out'), 'latin1'), exitCode }
  } finally {
    closeSync(input)
    closeSync(output)
  }
}

/** One process for all modules, because starting it takes longer than running them. */
let python: ChildProcessByStdio<Writable, Readable, null> | null = null
let results: AsyncIterator<string>
afterAll(() => python?.kill())

async function inWasmtime(bytes: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  if (python === null) {
    const args = [join(import.meta.dirname, 'run_in_wasmtime.py')]
    python = spawn(requireProgram('wasmtime') ?? '', args, { stdio: ['pipe', 'pipe', 'inherit'] })
    results = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  }
  const job = { module: join(folder, 'module'), stdin: join(folder, 'in'), stdout: join(folder, 'out') }
  writeFileSync(job.module, bytes)
  writeFileSync(job.stdin, stdin)
  python.stdin.write(`${JSON.stringify(job)}\n`)
  const { value } = await results.next()
  const { exitCode } = JSON.parse(String(value)) as { exitCode: number }
  return { stdout: readFileSync(job.stdout, 'latin1'), exitCode }
}

const wasi = (name: string, params: string, result = '(result i32)'): string =>
  `(import "wasi_snapshot_preview1" "${name}" (func $${name} (param ${params}) ${result}))`

/** A module that makes the calls in order, writes each error number as a letter, and then `bytes` of its memory. */
const program = (steps: readonly string[], shown = 0): string => `(module
  ${wasi('fd_write', 'i32 i32 i32 i32')} ${wasi('fd_read', 'i32 i32 i32 i32')}
  ${wasi('args_get', 'i32 i32')} ${wasi('args_sizes_get', 'i32 i32')}
  ${wasi('environ_sizes_get', 'i32 i32')} ${wasi('fd_close', 'i32')}
  ${wasi('fd_prestat_get', 'i32 i32')} ${wasi('proc_exit', 'i32', '')}
  (memory (export "memory") 1)
  (data (i32.const 0) "\\40\\00\\00\\00\\06\\00\\00\\00\\46\\00\\00\\00\\03\\00\\00\\00")
  (data (i32.const 64) "hello\\0aabc")
  (func $show (param $errno i32)
    (i32.store (i32.const 900) (i32.const 908)) (i32.store (i32.const 904) (i32.const 1))
    (i32.store8 (i32.const 908) (i32.add (local.get $errno) (i32.const 65)))
    (drop (call $fd_write (i32.const 1) (i32.const 900) (i32.const 1) (i32.const 912))))
  (func (export "_start") (local $errno i32)
    ${steps.join('\n')}
    (i32.store (i32.const 900) (i32.const 512)) (i32.store (i32.const 904) (i32.const ${shown}))
    (drop (call $fd_write (i32.const 1) (i32.const 900) (i32.const 1) (i32.const 912)))))`

const shownCall = (name: string, ...values: number[]): string =>
  `(call $show (call $${name} ${values.map((value) => `(i32.const ${value})`).join(' ')}))`

const readInto512 = (bytes: number): string =>
  `(i32.store (i32.const 800) (i32.const 512)) (i32.store (i32.const 804) (i32.const ${bytes})) ${shownCall('fd_read', 0, 800, 1, 808)}`

/** Writes the first `count` of two buffers. As in C's `writev`, wasmtime may write only the first of them. */
const writeBuffers = (count: number): string => `
  (local.set $errno (call $fd_write (i32.const 1) (i32.const 0) (i32.const ${count}) (i32.const 100)))
  (if (i32.and (i32.eq (i32.const ${count}) (i32.const 2)) (i32.eq (i32.load (i32.const 100)) (i32.const 6)))
    (then (local.set $errno (call $fd_write (i32.const 1) (i32.const 8) (i32.const 1) (i32.const 100)))))
  (call $show (local.get $errno))`

const programs: Record<string, string> = {
  'writes two buffers at once': program([writeBuffers(2)]),
  'writes nothing': program([shownCall('fd_write', 1, 0, 0, 100)]),
  'reads its input in pieces': program(
    [readInto512(7), readInto512(9), readInto512(100), readInto512(5)],
    40,
  ),
  'reads its arguments': program([shownCall('args_sizes_get', 512, 516), shownCall('args_get', 520, 560)], 8),
  'reads its empty environment': program([shownCall('environ_sizes_get', 512, 516)], 8),
  'looks for a folder': program([shownCall('fd_prestat_get', 3, 512)]),
  'uses an unknown descriptor': program([
    shownCall('fd_write', 99, 0, 1, 100),
    shownCall('fd_read', 99, 0, 1, 100),
    shownCall('fd_close', 99),
  ]),
  'exits with a code': program(['(call $proc_exit (i32.const 42))']),
  'exits after it wrote': program([shownCall('fd_write', 1, 0, 1, 100), '(call $proc_exit (i32.const 3))']),
}

const withoutWasmtime = requireProgram('wasmtime') === null
const skip = withoutWasmtime ? ` (${ALLOWED_SKIPS.wasmtime})` : ''

describe.each([
  { engine: 'the shim alone', run: inShim, isMissing: false },
  { engine: 'Node', run: inNode, isMissing: false },
  { engine: `wasmtime${skip}`, run: inWasmtime, isMissing: withoutWasmtime },
])('a module has the same output and exit code in the sandbox and in $engine', ({ run, isMissing }) => {
  test.skipIf(isMissing).each(Object.entries(programs))('that %s', async (_what, source) => {
    const bytes = await assembleWat(source)
    const outcome = inSandbox(bytes)
    expect(outcome.stdout.length + outcome.exitCode).toBeGreaterThan(0)
    expect(outcome).toEqual(await run(bytes))
  })

  test.skipIf(isMissing)('that makes random calls', async () => {
    const random = createRandom(17)
    for (let round = 0; round < 60; round += 1) {
      const steps = Array.from({ length: random.integer(1, 8) }, () =>
        random.pick([
          // Not 0 bytes: wasmtime may answer such a read with EINTR.
          readInto512(random.integer(1, 30)),
          writeBuffers(random.integer(0, 2)),
          shownCall('args_sizes_get', 600, 604),
          shownCall('fd_prestat_get', random.integer(3, 6), 600),
          shownCall('fd_write', random.integer(5, 1000), 0, 1, 100),
        ]),
      )
      if (random.integer(0, 3) === 0) steps.push(`(call $proc_exit (i32.const ${random.integer(0, 125)}))`)
      const source = program(steps, random.integer(0, 100))
      const bytes = await assembleWat(source)
      expect(inSandbox(bytes), source).toEqual(await run(bytes))
    }
  })
})
