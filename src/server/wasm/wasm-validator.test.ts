import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { longestTurnOf } from '../../../tests/support/cpu-time.ts'
import {
  hungryLocalsModule,
  millionFunctionsModule,
  padModule,
  plainCodeModule,
} from '../../../tests/support/fixtures/big-modules.ts'
import { manifest } from '../../../tests/support/server/publish.ts'
import { watchProcesses } from '../../../tests/support/server/watch-processes.ts'
import { forkHelper } from '../processes/fork-helper.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import type { SkillManifest } from '../../shared/contracts/manifest.ts'
import { createWasmValidator } from './wasm-validator.ts'
import type { ReleaseFacts, WasmValidator, WasmValidatorOptions } from './wasm-validator.ts'
import { helperEntries } from '../../../tests/support/server/server.ts'

const ENTRY = helperEntries.modules
const LARGEST = 16 * 1024 * 1024

let folder = ''
let current: WasmValidator | undefined

/** A validator with real processes, which `watch` records. */
const start = (options: Partial<WasmValidatorOptions> = {}) => {
  const watch = watchProcesses(() => forkHelper(ENTRY, 'modules'))
  const validator = createWasmValidator({ startProcess: watch.startProcess, ...options })
  current = validator
  return { validator, watch }
}

const path = (name: string): string => join(folder, name)

const facts = (change: Partial<SkillManifest>): ReleaseFacts => ({
  manifest: manifest(change),
  size: 1000,
  registry: null,
  module: null,
  problem: null,
})

const store = async (name: string, bytes: Uint8Array): Promise<string> => {
  await writeFile(path(name), bytes)
  return path(name)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-validator-'))
  const small = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  await store('small', small)
  await store('two-mebibytes', padModule(small, 2 * 1024 * 1024))
  await store('million', millionFunctionsModule(LARGEST))
  await store('plain', plainCodeModule(LARGEST))
  // The slowest module within the limit of declared locals: 2,000 functions with 50,000 each.
  await store('slow', hungryLocalsModule(2_000))
  return async () => {
    await rm(folder, { recursive: true })
  }
})

afterEach(async () => {
  await current?.stop()
  current = undefined
})

describe('answers', () => {
  it('accepts a command module and returns its facts', async () => {
    const { validator } = start()
    expect(await validator.validate(path('small'))).toEqual({
      ok: true,
      module: expect.objectContaining({ functionCount: 1, exportCount: 2, imports: [] }),
      findings: null,
    })
  })

  it('reports findings in the texts of a release', async () => {
    const { validator } = start()
    const result = await validator.validate(path('small'), facts({ readme: 'See http://1.2.3.4/ and TODO.' }))
    expect(result.findings?.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['link-ip', 'text-placeholder', 'memory-unbounded']),
    )
  })

  it('reports findings in the texts even if the module is missing', async () => {
    const { validator } = start()
    const known = { ...facts({ readme: 'See http://1.2.3.4/' }), problem: 'The file is missing.' }
    const result = await validator.validate('', known)
    expect(result).toMatchObject({ ok: false, problems: [{ message: 'The file is missing.' }] })
    expect(result.findings?.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['module-unchecked', 'link-ip']),
    )
  })

  it('lists the problems of a module with the reason of the engine', async () => {
    const { validator } = start()
    const bytes = await assembleWat('(module (import "env" "f" (func)) (func (export "_start") i32.add))')
    const result = await validator.validate(await store('wrong', bytes))
    expect(result).toEqual({
      ok: false,
      problems: [
        { path: 'wasm.exports.memory', message: expect.any(String) },
        { path: 'wasm.imports.env.f', message: expect.any(String) },
        {
          path: 'wasm',
          message: expect.stringMatching(/does not validate: Compiling function #1.*i32\.add/),
        },
      ],
      findings: null,
    })
  })

  it('refuses a file that is not a module, and one that is a byte too large', async () => {
    const { validator } = start()
    const text = await validator.validate(await store('text', Buffer.from('(module)')))
    expect(text).toMatchObject({
      problems: [{ path: 'wasm', message: expect.stringContaining('WebAssembly text') }],
    })
    const large = await validator.validate(await store('large', new Uint8Array(LARGEST + 1)))
    expect(large).toEqual({
      ok: false,
      problems: [{ path: 'wasm', message: 'The module is larger than 16 MiB.' }],
      findings: null,
    })
  })

  it('does not confuse files of different sizes', async () => {
    const { validator } = start()
    expect(await validator.validate(path('two-mebibytes'))).toMatchObject({
      ok: true,
      module: { sections: expect.arrayContaining([{ name: 'padding', size: expect.any(Number) }]) },
    })
    expect(await validator.validate(path('small'))).toMatchObject({
      ok: true,
      module: { sections: expect.not.arrayContaining([{ name: 'padding', size: expect.any(Number) }]) },
    })
  })

  it('rejects if the file does not exist', async () => {
    const { validator } = start()
    await expect(validator.validate(path('missing'))).rejects.toThrow(/ENOENT/)
  })

  it('does not read the size of a file if it is known', async () => {
    const { validator } = start()
    await expect(validator.validate(path('missing'), facts({}))).rejects.toMatchObject({
      code: 'VALIDATOR_UNAVAILABLE',
    })
  })

  it('checks 16 MiB without blocking the event loop for 50 ms', async () => {
    const { validator } = start()
    validator.warmUp()
    await validator.validate(path('small'))
    const longest = await longestTurnOf(async () => {
      expect(await validator.validate(path('million'))).toMatchObject({ ok: true })
      expect(await validator.validate(path('plain'))).toMatchObject({ ok: true })
    })
    expect(longest).toBeLessThan(50)
  })
})

describe('processes', () => {
  it('keeps one process for the next module', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    expect(watch.pids).toHaveLength(1)
    for (const _ of [1, 2, 3]) {
      // Sequential on purpose.
      await validator.validate(path('small'))
    }
    expect(watch.pids).toHaveLength(1)
  })

  it('starts at most two, and ends the second when it is idle', async () => {
    const { validator, watch } = start()
    const results = await Promise.all(Array.from({ length: 8 }, () => validator.validate(path('slow'))))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(watch.maxAlive).toBe(2)
    await expect.poll(() => watch.alive().length).toBe(1)
  })

  it('checks large modules one at a time, within 150 MiB', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    const before = process.memoryUsage.rss()
    const sampler = watch.sampleMemory()
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) => validator.validate(path(at % 2 ? 'million' : 'plain'))),
    )
    const peak = sampler.stop()
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(watch.maxAlive).toBe(1)
    expect(peak + process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024)
  })

  it('checks a small module while a large one is being checked', async () => {
    const { validator, watch } = start({ timeoutMs: 30_000 })
    await validator.validate(path('small'))
    const [busy = 0] = watch.pids
    process.kill(busy, 'SIGSTOP')
    const large = [validator.validate(path('million')), validator.validate(path('million'))]
    expect(await validator.validate(path('small'))).toMatchObject({ ok: true })
    process.kill(busy, 'SIGCONT')
    expect(await Promise.all(large)).toMatchObject([{ ok: true }, { ok: true }])
  })

  it('keeps one process free of background work', async () => {
    const { validator, watch } = start()
    const background = { isBackground: true }
    await Promise.all([1, 2, 3].map(() => validator.validate(path('slow'), null, background)))
    expect(watch.maxAlive).toBe(1)
  })

  it('checks submissions before background work that has waited longer', async () => {
    const { validator, watch } = start({ processes: 1 })
    const order: string[] = []
    const check = async (name: string, isBackground: boolean): Promise<void> => {
      await validator.validate(path(isBackground ? 'slow' : 'small'), null, { isBackground })
      order.push(name)
    }
    const first = check('background 1', true)
    await watch.givenJobs(1)
    await Promise.all([first, check('background 2', true), check('submitted', false)])
    expect(order).toEqual(['background 1', 'submitted', 'background 2'])
  })

  it('replaces a process that exceeds the memory limit', async () => {
    const { validator, watch } = start({ memoryLimit: 1 })
    await validator.validate(path('small'))
    await validator.validate(path('small'))
    await expect.poll(() => watch.alive()).not.toContain(watch.pids[0])
    expect(watch.pids.length).toBeGreaterThan(1)
  })
})

describe('time limit', () => {
  it('kills the process, reports the problem, and continues with the next module', async () => {
    const { validator, watch } = start({ timeoutMs: 20 })
    validator.warmUp()
    const [pid] = watch.pids
    const result = await validator.validate(path('slow'))
    expect(result).toEqual({
      ok: false,
      problems: [{ path: 'wasm', message: expect.stringMatching(/took longer than 0\.02 s to check/) }],
      findings: null,
    })
    await expect.poll(() => watch.alive()).not.toContain(pid)
    expect(() => process.kill(pid ?? 0, 0)).toThrow(/ESRCH/)
    // On a busy machine, even a small module may take longer than 20 ms.
    await expect.poll(() => validator.validate(path('small'))).toMatchObject({ ok: true })
  })

  it('excludes the start of the process and the wait for others', async () => {
    const { validator: unlimited } = start()
    await unlimited.validate(path('small'))
    const startedAt = performance.now()
    await unlimited.validate(path('slow'))
    // Longer than one check on a busy machine, and shorter than all of them.
    const timeoutMs = Math.max(2_000, 6 * (performance.now() - startedAt))
    await unlimited.stop()
    const { validator } = start({ timeoutMs, processes: 1 })
    const results = await Promise.all(Array.from({ length: 12 }, () => validator.validate(path('slow'))))
    expect(results.every(({ ok }) => ok)).toBe(true)
  })
})

describe('crashes', () => {
  it('retries once in a new process when one is killed', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    await validator.validate(path('small'))
    const result = validator.validate(path('slow'))
    await watch.givenJobs(2)
    process.kill(watch.pids[0] ?? 0, 'SIGKILL')
    expect(await result).toMatchObject({ ok: true })
    expect(watch.pids).toHaveLength(2)
  })

  it('refuses a module that crashes its process twice', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    watch.killAtJob()
    const result = await validator.validate(path('slow'))
    expect(result).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('crashed twice') }],
    })
  })

  it('rejects if no process can be started', async () => {
    current = createWasmValidator({ startProcess: () => forkHelper(path('no-such-entry.js'), 'modules') })
    await expect(current.validate(path('small'))).rejects.toMatchObject({ code: 'VALIDATOR_UNAVAILABLE' })
  })

  it('rejects if the system refuses to start another process after a crash', async () => {
    const watch = watchProcesses(() => {
      if (watch.pids.length > 0) throw new Error('spawn ENOMEM')
      return forkHelper(ENTRY, 'modules')
    })
    current = createWasmValidator({ startProcess: () => watch.startProcess() })
    watch.killAtJob()
    await expect(current.validate(path('small'))).rejects.toMatchObject({ code: 'VALIDATOR_UNAVAILABLE' })
    expect(watch.alive()).toEqual([])
  })

  it('rejects answers that violate the protocol', async () => {
    const liar = (): HelperProcess => {
      const exits: (() => void)[] = []
      let say: (message: unknown) => void = () => {}
      return {
        send: ({ id }) => say({ id, ok: true, rss: 1, module: { size: 'large' } }),
        onMessage: (listener) => {
          say = listener
          queueMicrotask(() => listener({ ready: true }))
        },
        onExit: (listener) => void exits.push(listener),
        kill: () => exits.forEach((exit) => exit()),
      }
    }
    current = createWasmValidator({ startProcess: liar })
    const result = await current.validate(path('small'))
    expect(result).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('crashed') }],
    })
  })
})

describe('ending', () => {
  it('drops a waiting module and kills a running check when aborted', async () => {
    const { validator, watch } = start({ processes: 1 })
    await validator.validate(path('small'))
    const running = new AbortController()
    const waiting = new AbortController()
    const first = validator.validate(path('slow'), null, { signal: running.signal })
    const second = validator.validate(path('slow'), null, { signal: waiting.signal })
    const third = validator.validate(path('small'))
    await watch.givenJobs(2)
    const aborted = Promise.all([
      expect(first).rejects.toThrow('gone away'),
      expect(second).rejects.toThrow('not wanted'),
    ])
    waiting.abort(new Error('not wanted'))
    running.abort(new Error('gone away'))
    await aborted
    expect(await third).toMatchObject({ ok: true })
    // The first module, the aborted running one and the third; the second was never started.
    expect(watch.jobs).toBe(3)
    expect(watch.pids).toHaveLength(2)
    expect(watch.maxAlive).toBe(1)
  })

  it('leaves no process and no pending call after a stop', async () => {
    const { validator, watch } = start()
    const results = Promise.allSettled(Array.from({ length: 5 }, () => validator.validate(path('slow'))))
    // One is done, and two are being checked.
    await watch.givenJobs(3)
    await validator.stop()
    for (const result of await results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'STOPPING' })
    }
    expect((await results).some(({ status }) => status === 'rejected')).toBe(true)
    expect(watch.alive()).toEqual([])
    await expect(validator.validate(path('small'))).rejects.toMatchObject({ code: 'STOPPING' })
  })
})
