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
import type { SkillManifest } from '../../shared/contracts/releases.ts'
import { createWasmValidator } from './wasm-validator.ts'
import type { ReleaseFacts, WasmValidator, WasmValidatorOptions } from './wasm-validator.ts'
import { helperEntries } from '../../../tests/support/server/server.ts'

const ENTRY = helperEntries.modules
const LARGEST = 16 * 1024 * 1024

let folder = ''
let current: WasmValidator | undefined

/** A validator of real processes, whose process ids `watch` knows. */
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
  // Within the limit of declared locals, and still the slowest that is: 2,000 functions of 50,000.
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
  it('accepts a command module and sums it up', async () => {
    const { validator } = start()
    expect(await validator.validate(path('small'))).toEqual({
      ok: true,
      module: expect.objectContaining({ functionCount: 1, exportCount: 2, imports: [] }),
      findings: null,
    })
  })

  it('finds what there is to find in the texts of a release', async () => {
    const { validator } = start()
    const result = await validator.validate(path('small'), facts({ readme: 'See http://1.2.3.4/ and TODO.' }))
    expect(result.findings?.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['link-ip', 'text-placeholder', 'memory-unbounded']),
    )
  })

  it('finds in the texts what there is also where the module is known to be gone', async () => {
    const { validator } = start()
    const known = { ...facts({ readme: 'See http://1.2.3.4/' }), problem: 'The file is missing.' }
    const result = await validator.validate('', known)
    expect(result).toMatchObject({ ok: false, problems: [{ message: 'The file is missing.' }] })
    expect(result.findings?.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['module-unchecked', 'link-ip']),
    )
  })

  it('lists what is wrong, and the reason of the engine with it', async () => {
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

  it('refuses what cannot be read, and a file of one byte too many', async () => {
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

  it('does not take one file for another when their sizes differ', async () => {
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

  it('rejects when the file is not there', async () => {
    const { validator } = start()
    await expect(validator.validate(path('missing'))).rejects.toThrow(/ENOENT/)
  })

  it('checks 16 MiB without holding up the event loop for 50 ms', async () => {
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
  it('keeps one for the next module', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    expect(watch.pids).toHaveLength(1)
    for (const _ of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      await validator.validate(path('small'))
    }
    expect(watch.pids).toHaveLength(1)
  })

  it('has two at most, and ends the second when it is not needed', async () => {
    const { validator, watch } = start()
    const results = await Promise.all(Array.from({ length: 8 }, () => validator.validate(path('slow'))))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(watch.most).toBe(2)
    await expect.poll(() => watch.alive().length, { timeout: 8_000 }).toBe(1)
  })

  it('checks large modules one at a time, in no more than 150 MiB', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    const before = process.memoryUsage.rss()
    const sampler = watch.sampleMemory()
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) => validator.validate(path(at % 2 ? 'million' : 'plain'))),
    )
    const peak = sampler.stop()
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(watch.most).toBe(1)
    expect(peak + process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024)
  })

  it('lets a small module pass while a large one is checked', async () => {
    const { validator } = start()
    const order: string[] = []
    const check = async (name: string): Promise<void> => {
      await validator.validate(path(name))
      order.push(name)
    }
    await Promise.all([check('million'), check('million'), check('small')])
    expect(order[0]).toBe('small')
  })

  it('leaves one free of background work', async () => {
    const { validator, watch } = start()
    const background = { isBackground: true }
    await Promise.all([1, 2, 3].map(() => validator.validate(path('slow'), null, background)))
    expect(watch.most).toBe(1)
  })

  it('checks what is submitted before background work that has waited longer', async () => {
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

  it('is replaced when it has grown beyond the memory limit', async () => {
    const { validator, watch } = start({ memoryLimit: 1 })
    await validator.validate(path('small'))
    await validator.validate(path('small'))
    await expect.poll(() => watch.alive()).not.toContain(watch.pids[0])
    expect(watch.pids.length).toBeGreaterThan(1)
  })
})

describe('time limit', () => {
  it('kills the process and says so, and goes on with the next module', async () => {
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
    // A busy machine may not leave even a small one 20 ms at once.
    await expect.poll(() => validator.validate(path('small'))).toMatchObject({ ok: true })
  })

  it('does not count the start of the process, nor the wait for others', async () => {
    const { validator } = start({ timeoutMs: 2_000, processes: 1 })
    const results = await Promise.all(Array.from({ length: 12 }, () => validator.validate(path('slow'))))
    expect(results.every(({ ok }) => ok)).toBe(true)
  })
})

describe('crashes', () => {
  it('tries once more on a fresh process when one is killed in the middle', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    await validator.validate(path('small'))
    const result = validator.validate(path('slow'))
    await watch.givenJobs(2)
    process.kill(watch.pids[0] ?? 0, 'SIGKILL')
    expect(await result).toMatchObject({ ok: true })
    expect(watch.pids).toHaveLength(2)
  })

  it('refuses a module which ends its process twice', async () => {
    const { validator, watch } = start()
    validator.warmUp()
    watch.killAtJob()
    const result = await validator.validate(path('slow'))
    expect(result).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('broke down twice') }],
    })
  })

  it('rejects when no process can be started', async () => {
    current = createWasmValidator({ startProcess: () => forkHelper(path('no-such-entry.js'), 'modules') })
    await expect(current.validate(path('small'))).rejects.toMatchObject({ code: 'VALIDATOR_UNAVAILABLE' })
  })

  it('does not believe a process that says what was not agreed', async () => {
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
      problems: [{ message: expect.stringContaining('broke down') }],
    })
  })
})

describe('ending', () => {
  it('drops a waiting module and kills the check of a running one when it is aborted', async () => {
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
    // The one before, the running one and the third: nobody was asked about the second.
    expect(watch.jobs).toBe(3)
    expect(watch.pids).toHaveLength(2)
    expect(watch.most).toBe(1)
  })

  it('leaves no process and no waiting caller', async () => {
    const { validator, watch } = start()
    const results = Promise.allSettled(Array.from({ length: 5 }, () => validator.validate(path('slow'))))
    // One is done, and there are two that are being checked.
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
