import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogLines } from '../operations/log-lines.ts'
import { createLogger } from '../operations/logging.ts'
import { forkHelper } from '../processes/fork-helper.ts'
import { createAgentsReader } from './agents-reader.ts'
import type { AgentsReader } from './agents-reader.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-reader-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const entry = join(import.meta.dirname, 'agents-process.ts')
const log = createLogger(createLogLines().passTo({ write: () => {} }))

async function using<T>(
  script: string,
  project: string | null,
  work: (reader: AgentsReader) => Promise<T>,
): Promise<T> {
  const reader = createAgentsReader({
    startProcess: () => forkHelper(script, 'agents'),
    folder: project,
    log,
  })
  try {
    return await work(reader)
  } finally {
    await reader.end()
  }
}

test('without a project it gives empty answers and says so', () =>
  using(entry, null, async (reader) => {
    expect(reader.project()).toMatchObject({ folder: null, state: 'none', size: null, changedAt: null })
    const reading = await reader.read('listTrust', undefined)
    expect(reading).toMatchObject({ state: 'none', changedAt: null })
  }))

test('tells of another project with a greater revision', () =>
  using(entry, folder, async (reader) => {
    const told: number[] = []
    const stop = reader.onChange(({ revision }) => told.push(revision))
    expect((await reader.read('listTrust', undefined)).state).toBe('missing')
    reader.choose(join(folder, 'other'))
    expect((await reader.read('listTrust', undefined)).state).toBe('missing')
    reader.choose(null)
    expect((await reader.read('listTrust', undefined)).state).toBe('none')
    stop()
    expect(told.length).toBeGreaterThanOrEqual(3)
    expect(told).toEqual(told.toSorted((one, other) => one - other))
  }))

test('a question whose signal is aborted already is not asked', () =>
  using(entry, folder, async (reader) => {
    const reason = new Error('nobody waits')
    await expect(reader.read('listTrust', undefined, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
  }))

test('where its process ends at once, questions are answered with the problem', async () => {
  const broken = join(folder, 'broken.mjs')
  writeFileSync(broken, 'throw new Error("broken")')
  await using(broken, folder, async (reader) => {
    const problem = { state: 'unreadable', reason: 'failed' }
    expect(await reader.read('listTrust', undefined)).toMatchObject(problem)
    expect(reader.project()).toMatchObject(problem)
  })
})

test('a process that says nothing any more is killed, and the question is answered with the problem', async () => {
  const silent = join(folder, 'silent.mjs')
  writeFileSync(silent, "process.on('message', () => { for (;;); }); process.send({ ready: true })")
  const reader = createAgentsReader({
    startProcess: () => forkHelper(silent, 'agents'),
    folder,
    log,
    silentSeconds: 1,
  })
  try {
    expect(await reader.read('listTrust', undefined)).toMatchObject({
      state: 'unreadable',
      reason: 'crashed',
    })
  } finally {
    await reader.end()
  }
})

test('after its end nothing is asked any more', async () => {
  const reader = await using(entry, folder, async (held) => held)
  await expect(reader.read('listTrust', undefined)).rejects.toThrow('is stopping')
})
