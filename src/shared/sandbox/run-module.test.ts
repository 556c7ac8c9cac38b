import { readFile } from 'node:fs/promises'
import { describe, expect, it, test } from 'vitest'
import { listSkills } from '../../../resources/skills/build.ts'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import {
  boundlessCompileModule,
  hungryLocalsModule,
  slowCompileModule,
} from '../../../tests/support/fixtures/big-modules.ts'
import { evilModule } from '../../../tests/support/fixtures/evil-modules.ts'
import { runSkill } from '../../../tests/support/client/run-skill.ts'
import { moduleBytes, section } from '../../../tests/support/fixtures/wasm-bytes.ts'
import { skillManifestSchema } from '../contracts/manifest.ts'
import { withMemoryVerdict, mayHaveRunOutOfMemory, runModule } from './run-module.ts'
import { defaultRunLimits } from './run-limits.ts'
import type { RunProgress, SandboxInput, SandboxRun } from './sandbox-run.ts'

const MIB = 1024 * 1024

const run = (
  bytes: Uint8Array<ArrayBuffer>,
  change: Partial<SandboxInput> = {},
  heard?: RunProgress[],
): SandboxRun =>
  runModule(
    { bytes, stdin: new Uint8Array(), args: [], limits: defaultRunLimits, ...change },
    heard === undefined ? undefined : (progress) => void heard.push(progress),
  )

const runText = async (fields: string, change: Partial<SandboxInput> = {}): Promise<SandboxRun> =>
  run(await assembleWat(`(module ${fields})`), change)

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value)

const wasi = (name: string, params: string, result = '(result i32)'): string =>
  `(import "wasi_snapshot_preview1" "${name}" (func $${name} (param ${params}) ${result}))`
const memory = '(memory (export "memory") 1)'

describe.each(listSkills())('the skill $name', ({ committedFile, manifestFile }) => {
  it('passes its examples in the sandbox, with the same result as in another runtime', async () => {
    const bytes = new Uint8Array(await readFile(committedFile))
    const { examples } = skillManifestSchema.parse(JSON.parse(await readFile(manifestFile, 'utf8')))
    for (const { input, output } of examples) {
      const seen = run(bytes, { stdin: bytesOf(input) })
      const elsewhere = await runSkill(bytes, input)
      expect(seen).toMatchObject({
        end: 'exited',
        exitCode: 0,
        detail: null,
        stdoutBytes: bytesOf(output).length,
      })
      expect([text(seen.stdout), text(seen.stderr)]).toEqual([output, ''])
      expect(elsewhere).toEqual({ exitCode: 0, stdout: output, stderr: '' })
      expect(seen.calls.map(({ name }) => name)).toContain('fd_read')
      expect(seen.peakMemoryBytes).toBeGreaterThanOrEqual(65_536)
    }
  })
})

describe('a run ends', () => {
  it('with the unsigned exit code of proc_exit', async () => {
    const exits = (code: number): Promise<SandboxRun> =>
      runText(
        `${wasi('proc_exit', 'i32', '')} ${memory} (func (export "_start") (call $proc_exit (i32.const ${code})))`,
      )
    expect(await exits(0)).toMatchObject({ end: 'exited', exitCode: 0 })
    expect(await exits(7)).toMatchObject({
      end: 'exited',
      exitCode: 7,
      calls: [{ name: 'proc_exit', count: 1, refused: 0 }],
    })
    expect(await exits(-1)).toMatchObject({ end: 'exited', exitCode: 4_294_967_295 })
  })

  it('at proc_exit, even if the module catches the exception', async () => {
    expect(run(await evilModule('stubbornExit'))).toMatchObject({
      end: 'exited',
      exitCode: 3,
      stdoutBytes: 0,
    })
  })

  it('as trapped, with its output so far and the reason', async () => {
    expect(run(await evilModule('trap'))).toMatchObject({
      end: 'trapped',
      exitCode: null,
      detail: 'unreachable',
      stdout: bytesOf('hello\n'),
      calls: [{ name: 'fd_write', count: 1, refused: 0 }],
    })
    expect(run(await evilModule('recursion'))).toMatchObject({
      end: 'trapped',
      detail: 'call stack exhausted',
    })
    expect(
      await runText(`${memory} (func (export "_start") (drop (i32.load (i32.const 65536))))`),
    ).toMatchObject({
      end: 'trapped',
      detail: 'memory access out of bounds',
    })
    expect(await runText(`${memory} (tag $t) (func (export "_start") (throw $t))`)).toMatchObject({
      end: 'trapped',
      detail: 'an uncaught exception',
    })
  })

  it('at the output limit, with exactly that much output, whatever the module catches', async () => {
    for (const name of ['flood', 'stubbornFlood'] as const) {
      const seen = run(await evilModule(name))
      expect(seen).toMatchObject({
        end: 'output-limit',
        exitCode: null,
        detail: 'standard output',
        stdoutBytes: MIB,
      })
      expect(seen.stdout).toHaveLength(MIB)
      expect(new Set(seen.stdout)).toEqual(new Set([120]))
    }
    const exact = await runText(
      `${wasi('fd_write', 'i32 i32 i32 i32')} ${memory} (data (i32.const 0) "\\10\\00\\00\\00\\04\\00\\00\\00")
       (func (export "_start") (drop (call $fd_write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8))))`,
      { limits: { ...defaultRunLimits, outputBytes: 4 } },
    )
    expect(exact).toMatchObject({ end: 'exited', stderrBytes: 4, stdoutBytes: 0 })
  })
})

describe('memory', () => {
  it('is limited, and a second run shows that the module ran out of it', async () => {
    const bytes = await evilModule('grow')
    const first = run(bytes)
    expect(first).toMatchObject({ end: 'trapped', clamped: true, peakMemoryBytes: 64 * MIB })
    expect(mayHaveRunOutOfMemory(first)).toBe(true)
    const second = run(bytes, { limits: { ...defaultRunLimits, memoryBytes: 128 * MIB } })
    expect(withMemoryVerdict(first, second, 64 * MIB)).toMatchObject({
      end: 'memory-limit',
      exitCode: null,
      peakMemoryBytes: 64 * MIB,
      detail: 'It was denied more memory and trapped: unreachable',
    })
  })

  it('is not the reason if the run ends the same way with more of it', async () => {
    const bytes = await evilModule('trap')
    const first = run(bytes)
    expect(mayHaveRunOutOfMemory(first)).toBe(true)
    expect(withMemoryVerdict(first, run(bytes), 64 * MIB)).toBe(first)
    expect(mayHaveRunOutOfMemory(await runText(`${memory} (func (export "_start"))`))).toBe(false)
    const small = '(memory (export "memory") 1 2) (func (export "_start") unreachable)'
    expect(mayHaveRunOutOfMemory(await runText(small))).toBe(false)
  })

  it('with a declared minimum above the limit prevents the run', async () => {
    expect(run(await evilModule('hugeMinimum'))).toMatchObject({
      end: 'not-run',
      exitCode: null,
      detail: 'Needs 96 MiB of memory to start, but the limit is 64 MiB. Not run.',
      calls: [],
      peakMemoryBytes: 0,
    })
    expect(await runText('(memory (export "memory") 1024) (func (export "_start"))')).toMatchObject({
      end: 'exited',
    })
    expect(await runText('(memory (export "memory") 1025) (func (export "_start"))')).toMatchObject({
      end: 'not-run',
    })
  })

  it('is limited in the same way if it is shared or has 64-bit addresses', async () => {
    const grow = (declared: string, type: string): Promise<SandboxRun> =>
      runText(`(memory (export "memory") ${declared})
        (func (export "_start") (loop $again (br_if $again (${type}.ne (memory.grow (${type}.const 16)) (${type}.const -1)))))`)
    expect(await grow('i64 1', 'i64')).toMatchObject({
      end: 'exited',
      clamped: true,
      peakMemoryBytes: 1009 * 65_536,
    })
    expect(await grow('1 65536 shared', 'i32')).toMatchObject({
      end: 'exited',
      clamped: true,
      peakMemoryBytes: 1009 * 65_536,
    })
  })

  it('outside of the module memory is limited too', async () => {
    expect(run(await evilModule('tableGrow'))).toMatchObject({ end: 'trapped', detail: 'unreachable' })
    expect(run(await evilModule('tableHuge'))).toMatchObject({
      end: 'not-run',
      detail: 'Needs tables of 5000000 entries, but the limit is 1000000. Not run.',
    })
    expect(await runText(`${memory} (memory 1) (func (export "_start"))`)).toMatchObject({
      end: 'not-run',
      detail: expect.stringContaining('2 memories'),
    })
    expect(await runText(`${memory} (tag (param externref)) (func (export "_start"))`)).toMatchObject({
      end: 'not-run',
    })
    expect(await runText(`${memory} (tag (param i32 f64)) (func (export "_start"))`)).toMatchObject({
      end: 'exited',
    })
    expect(await runText(`${memory} (table 1 externref) (func (export "_start"))`)).toMatchObject({
      end: 'exited',
    })
  })
})

test('modules with garbage-collected objects, whose memory cannot be limited, are not run', () => {
  const nameOf = (value: string): number[] => [value.length, ...bytesOf(value)]
  const withType = (...type: number[]): Uint8Array<ArrayBuffer> =>
    moduleBytes(
      section(1, [2, 0x60, 0, 0, ...type]),
      section(3, [1, 0]),
      section(5, [1, 0, 1]),
      section(7, [2, ...nameOf('_start'), 0, 0, ...nameOf('memory'), 2, 0]),
      section(10, [1, 2, 0, 0x0b]),
    )
  const [anArray, aStruct, aFunction] = [withType(0x5e, 0x7f, 1), withType(0x5f, 0), withType(0x60, 0, 0)]
  for (const bytes of [anArray, aStruct]) {
    expect(run(bytes)).toMatchObject({
      end: 'not-run',
      detail: expect.stringContaining('garbage-collected objects'),
    })
  }
  expect(run(aFunction)).toMatchObject({ end: 'exited' })
})

describe('before anything is compiled', () => {
  it('a module is checked with the rules for publishing', async () => {
    const refused = async (bytes: Uint8Array<ArrayBuffer>): Promise<string | null> => {
      const seen = run(bytes)
      expect(seen.end).toBe('not-run')
      return seen.detail
    }
    expect(await refused(new Uint8Array())).toBe('The file is empty.')
    const foreign = await assembleWat(
      '(module (import "env" "f" (func)) (memory (export "memory") 1) (func (export "_start")))',
    )
    expect(await refused(foreign)).toContain('"env" "f"')
    const borrowed = await assembleWat(
      '(module (import "env" "memory" (memory 1)) (export "memory" (memory 0)) (func (export "_start")))',
    )
    expect(await refused(borrowed)).toContain('owns its memory')
    const wrong = await assembleWat(`(module ${wasi('fd_close', 'i64')} ${memory} (func (export "_start")))`)
    expect(await refused(wrong)).toContain('has the signature')
  })

  it('a module that would take seconds to compile is rejected for its declarations', () => {
    const seen = run(hungryLocalsModule(10_000))
    expect(seen).toMatchObject({
      end: 'not-run',
      detail: expect.stringContaining('100000000 local variables'),
    })
  })

  it('a function that would take minutes or gigabytes to compile is rejected, but two slow ones are not', () => {
    expect(run(boundlessCompileModule())).toMatchObject({
      end: 'not-run',
      detail:
        'Function 0 declares 49999 local variables in 400009 bytes of code, so compiling it could take too long. Not run.',
    })
    expect(run(slowCompileModule(2))).toMatchObject({ end: 'exited', exitCode: 0 })
  })

  it('a module that only the engine rejects is not run either', async () => {
    expect(await runText(`${memory} (func (export "_start") (i32.add))`)).toMatchObject({
      end: 'not-run',
      detail: expect.stringContaining('The engine rejects it'),
    })
  })
})

describe('a call of a module', () => {
  it('is counted, even if it fails, and fails in a start function, which has no memory yet', async () => {
    const seen = run(await evilModule('everything'))
    expect(seen).toMatchObject({ end: 'exited', exitCode: 42 })
    expect(seen.calls).toHaveLength(46)
    const refused = seen.calls.filter((call) => call.refused > 0).map(({ name }) => name)
    expect(refused).toEqual(
      expect.arrayContaining(['path_open', 'sock_recv', 'fd_prestat_get', 'fd_read', 'proc_raise']),
    )
    expect(refused).not.toContain('sched_yield')

    expect(run(await evilModule('startCalls'))).toMatchObject({
      end: 'trapped',
      detail: 'fd_write was called by the start function, before the memory is available',
      calls: [{ name: 'fd_write', count: 1, refused: 0 }],
    })
  })

  it('finds no file, and the requested path is recorded', async () => {
    const seen = run(await evilModule('opensFile'))
    expect(seen.paths).toEqual([{ name: 'path_open', path: '/etc/passwd' }])
    expect(seen.calls).toEqual([
      { name: 'fd_prestat_get', count: 1, refused: 1 },
      { name: 'path_open', count: 1, refused: 1 },
    ])
  })

  it('is reported during the run, so that it is known if the run is terminated', async () => {
    const heard: RunProgress[] = []
    run(await evilModule('trap'), {}, heard)
    const last = heard.at(-1)
    expect(last).toMatchObject({
      calls: [{ name: 'fd_write', count: 1 }],
      stdoutBytes: 6,
      peakMemoryBytes: 65_536,
    })
    expect(text(Buffer.concat(heard.map(({ moreStdout }) => moreStdout)))).toBe('hello\n')

    const flood: RunProgress[] = []
    run(await evilModule('flood'), {}, flood)
    expect(flood.length).toBeGreaterThan(60)
    expect(flood.length).toBeLessThan(200)
  })

  it('with an address outside of the memory returns a fault', async () => {
    const seen =
      await runText(`${wasi('fd_write', 'i32 i32 i32 i32')} ${wasi('proc_exit', 'i32', '')} ${memory}
      (func (export "_start") (call $proc_exit
        (call $fd_write (i32.const 1) (i32.const -8) (i32.const 1) (i32.const 0))))`)
    expect(seen).toMatchObject({
      exitCode: 21,
      calls: [{ name: 'fd_write', count: 1, refused: 1 }, { name: 'proc_exit' }],
    })
  })
})

test('arguments are passed unchanged, and the environment is empty', async () => {
  const echo = `${wasi('args_sizes_get', 'i32 i32')} ${wasi('args_get', 'i32 i32')} ${wasi('environ_sizes_get', 'i32 i32')}
    ${wasi('fd_write', 'i32 i32 i32 i32')} ${memory}
    (func (export "_start")
      (drop (call $environ_sizes_get (i32.const 0) (i32.const 4)))
      (if (i32.load (i32.const 0)) (then (unreachable)))
      (drop (call $args_sizes_get (i32.const 0) (i32.const 4)))
      (drop (call $args_get (i32.const 64) (i32.const 1024)))
      (i32.store (i32.const 16) (i32.const 1024))
      (i32.store (i32.const 20) (i32.load (i32.const 4)))
      (drop (call $fd_write (i32.const 1) (i32.const 16) (i32.const 1) (i32.const 8))))`
  expect(text((await runText(echo)).stdout)).toBe('skill\0')
  expect(text((await runText(echo, { args: ['--n', 'žluťoučký kůň'] })).stdout)).toBe(
    'skill\0--n\0žluťoučký kůň\0',
  )
})

test('the clock advances, random numbers differ, and waiting takes time', async () => {
  const twice = `${wasi('clock_time_get', 'i32 i64 i32')} ${wasi('random_get', 'i32 i32')} ${wasi('fd_write', 'i32 i32 i32 i32')} ${memory}
    (func (export "_start")
      (drop (call $clock_time_get (i32.const 0) (i64.const 1) (i32.const 64)))
      (drop (call $random_get (i32.const 72) (i32.const 16)))
      (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 24))
      (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))`
  const before = Date.now()
  const [one, other] = [await runText(twice), await runText(twice)]
  const clock = Number(new DataView(one.stdout.buffer).getBigUint64(0, true) / 1_000_000n)
  expect(clock).toBeGreaterThanOrEqual(before)
  expect(clock).toBeLessThanOrEqual(Date.now())
  expect(one.stdout.subarray(8)).not.toEqual(other.stdout.subarray(8))

  const slept = run(await evilModule('sleep'))
  expect(slept).toMatchObject({ end: 'exited', exitCode: 0 })
  expect(slept.timeMs).toBeGreaterThanOrEqual(50)
})
