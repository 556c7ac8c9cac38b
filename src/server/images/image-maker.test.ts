import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noise } from '../../../tests/support/fixtures/images.ts'
import { watchProcesses } from '../../../tests/support/server/watch-processes.ts'
import { forkHelper } from '../processes/fork-helper.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { createImageMaker } from './image-maker.ts'
import type { ImageMaker, ImageMakerOptions } from './image-maker.ts'
import { helperEntries } from '../../../tests/support/server/server.ts'

const ENTRY = helperEntries.images

let folder = ''
let current: ImageMaker | undefined
const path = (name: string): string => join(folder, name)

const start = (options: Partial<ImageMakerOptions> = {}) => {
  const watch = watchProcesses(() => forkHelper(ENTRY, 'images'))
  const maker = createImageMaker({ startProcess: watch.startProcess, timeoutMs: 300_000, ...options })
  current = maker
  return { maker, watch }
}

/** A process that accepts every job and answers it with `answer`, or never without it. */
const scripted = (answer?: (id: number, say: (message: object) => void) => void) => {
  const jobs: string[] = []
  let kills = 0
  const startProcess = (): HelperProcess => {
    const exits: (() => void)[] = []
    let say: (message: unknown) => void = () => {}
    return {
      send({ id, path: file }) {
        jobs.push(file)
        answer?.(id, say)
      },
      onMessage(listener) {
        say = listener
        queueMicrotask(() => listener({ ready: true }))
      },
      onExit: (listener) => void exits.push(listener),
      kill() {
        kills += 1
        for (const exit of exits) exit()
      },
    }
  }
  return { jobs, startProcess, ended: () => kills }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-maker-'))
  await writeFile(path('small'), await noise(60, 40).png().toBuffer())
  await writeFile(path('large'), await noise(3000, 2000).jpeg().toBuffer())
  return () => rm(folder, { recursive: true })
})
afterEach(async () => {
  await current?.stop()
  current = undefined
})

describe('examining images', () => {
  it('reuses its processes, and ends them when they are idle', async () => {
    const { maker, watch } = start({ idleMs: 300 })
    expect(await maker.examine(path('small'), false)).toMatchObject({ ok: true, width: 60 })
    expect(await maker.examine(path('small'), false)).toMatchObject({ ok: true })
    expect(watch.pids).toHaveLength(1)
    await expect.poll(() => watch.alive()).toEqual([])
    expect(await maker.examine(path('small'), false)).toMatchObject({ ok: true })
    expect(watch.pids).toHaveLength(2)
    await maker.clear(path('small'))
    expect((await readdir(folder)).toSorted()).toEqual(['large', 'small'])
  })

  it('examines one image of editors and one anonymous image at once', async () => {
    const { jobs, startProcess } = scripted()
    current = createImageMaker({ startProcess })
    const requests = [
      current.examine('anonymous 1', true),
      current.examine('anonymous 2', true),
      current.examine('administrator 1', false),
      current.examine('administrator 2', false),
    ]
    await expect.poll(() => jobs).toEqual(['anonymous 1', 'administrator 1'])
    await current.stop()
    const results = await Promise.allSettled(requests)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  })

  it('needs one process, however many images editors upload at once', async () => {
    const { maker, watch } = start()
    await Promise.all(
      ['large', 'small', 'large', 'small', 'small'].map((name) => maker.examine(path(name), false)),
    )
    expect(watch.maxAlive).toBe(1)
  })
})

describe('failures', () => {
  it('reports a problem of an image that takes too long, and continues with the next one', async () => {
    const { jobs, startProcess } = scripted()
    current = createImageMaker({ startProcess, timeoutMs: 50 })
    expect(await current.examine('slow', false)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('took too long to decode'),
    })
    expect(await current.examine('next', false)).toMatchObject({ ok: false })
    expect(jobs).toEqual(['slow', 'next'])
  })

  it('kills a blocked process, whatever its own limits are, and continues with the next image', async () => {
    const entry = path('blocking.mjs')
    const from = (file: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, file)).href)
    await writeFile(
      entry,
      `import { answerJobs } from ${from('../processes/answer-jobs.ts')}
       import { examineImage } from ${from('examine-image.ts')}
       answerJobs((path) => { while (path.endsWith('blocking')); return examineImage(path) })`,
    )
    const watch = watchProcesses(() => forkHelper(entry, 'images'))
    current = createImageMaker({ startProcess: watch.startProcess, silenceMs: 3_000 })
    const blocked = current.examine(path('blocking'), true)
    const next = current.examine(path('small'), true)
    expect(await blocked).toMatchObject({ ok: false, problem: expect.stringContaining('took too long') })
    expect(watch.alive()).not.toContain(watch.pids[0])
    expect(await next).toMatchObject({ ok: true, width: 60 })
  })

  it('waits for a slow image as long as its process reports that it is alive', async () => {
    const { startProcess } = scripted((id, say) => {
      let left = 25
      const timer = setInterval(() => {
        left -= 1
        say({ alive: id })
        if (left > 0) return
        clearInterval(timer)
        say({ id, rss: 1, ok: false, problem: 'It is the wrong way up.' })
      }, 20)
    })
    current = createImageMaker({ startProcess, silenceMs: 300 })
    expect(await current.examine('long', false)).toMatchObject({ problem: 'It is the wrong way up.' })
  })

  it('kills a process that has given up on an image but is still decoding it', async () => {
    const stuck = { rss: 1, ok: false, problem: 'The image takes too long.', isStuck: true }
    const { ended, startProcess } = scripted((id, say) => say({ id, ...stuck }))
    current = createImageMaker({ startProcess })
    expect(await current.examine('slow', false)).toMatchObject({ ok: false, problem: stuck.problem })
    expect(ended()).toBe(1)
    await current.examine('slow', false)
    expect(ended()).toBe(2)
  })

  it('retries once after a crash, and then reports a problem of the image', async () => {
    const { maker, watch } = start()
    watch.killAtJob()
    expect(await maker.examine(path('large'), false)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('crashed the decoder twice'),
    })
    expect(watch.pids).toHaveLength(2)
  })

  it('is unavailable if no process can be started or the file is missing', async () => {
    current = createImageMaker({ startProcess: () => forkHelper(path('no-such-entry.js'), 'images') })
    await expect(current.examine(path('small'), false)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    const { maker } = start()
    await expect(maker.examine(path('missing'), false)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })

  it('rejects answers that violate the protocol', async () => {
    const { startProcess } = scripted((id, say) =>
      say({ id, rss: 1, ok: true, type: 'image/svg+xml', width: -1 }),
    )
    current = createImageMaker({ startProcess })
    expect(await current.examine('any', false)).toMatchObject({ ok: false })
  })
})

it('leaves no process and no pending call after a stop', async () => {
  const { maker, watch } = start()
  const results = Promise.allSettled(Array.from({ length: 4 }, () => maker.examine(path('large'), false)))
  await watch.givenJobs(1)
  await maker.stop()
  for (const result of await results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'STOPPING' })
  }
  expect((await results).some(({ status }) => status === 'rejected')).toBe(true)
  expect(watch.alive()).toEqual([])
  await expect(maker.examine(path('small'), false)).rejects.toMatchObject({ code: 'STOPPING' })
})
