import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogLines } from '../operations/log-lines.ts'
import { createLogger } from '../operations/logging.ts'
import { forkHelper } from '../processes/fork-helper.ts'
import { createAgentsReader } from './agents-reader.ts'
import type { AgentsReader } from './agents-reader.ts'
import { helperEntries } from '../../../tests/support/server/server.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-reader-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const entry = helperEntries.agents
const log = createLogger(createLogLines().passTo({ write: () => {} }))

async function using<T>(
  script: string,
  project: string | null,
  work: (reader: AgentsReader) => Promise<T>,
): Promise<T> {
  const reader = createAgentsReader({
    startProcess: () => forkHelper(script, 'agents', join(folder, 'mirror.db')),
    folder: project,
    mirror: join(folder, 'mirror.db'),
    log,
  })
  try {
    return await work(reader)
  } finally {
    await reader.end()
  }
}

test('without a project, answers are empty with the state `none`', () =>
  using(entry, null, async (reader) => {
    expect(reader.project()).toMatchObject({ folder: null, state: 'none', size: null, changedAt: null })
    const reading = await reader.read('listDashboardTrust', undefined)
    expect(reading).toMatchObject({ state: 'none', changedAt: null })
  }))

test('reports another project with a higher revision', () =>
  using(entry, folder, async (reader) => {
    const revisions: number[] = []
    const stop = reader.onChange(({ revision }) => revisions.push(revision))
    expect((await reader.read('listDashboardTrust', undefined)).state).toBe('missing')
    reader.choose(join(folder, 'other'))
    expect((await reader.read('listDashboardTrust', undefined)).state).toBe('missing')
    reader.choose(null)
    expect((await reader.read('listDashboardTrust', undefined)).state).toBe('none')
    stop()
    expect(revisions.length).toBeGreaterThanOrEqual(3)
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other))
  }))

test('a query is not sent if its signal is already aborted', () =>
  using(entry, folder, async (reader) => {
    const reason = new Error('aborted')
    await expect(
      reader.read('listDashboardTrust', undefined, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
  }))

test('if its process exits at once, queries are answered with the problem', async () => {
  const broken = join(folder, 'broken.mjs')
  writeFileSync(broken, 'throw new Error("broken")')
  await using(broken, folder, async (reader) => {
    const problem = { state: 'unreadable', reason: 'failed' }
    expect(await reader.read('listDashboardTrust', undefined)).toMatchObject(problem)
    expect(reader.project()).toMatchObject(problem)
  })
})

test('a process that stops responding is killed, and the query is answered with the problem', async () => {
  const silent = join(folder, 'silent.mjs')
  writeFileSync(silent, "process.on('message', () => { for (;;); }); process.send({ ready: true })")
  const reader = createAgentsReader({
    startProcess: () => forkHelper(silent, 'agents'),
    folder,
    mirror: join(folder, 'mirror.db'),
    log,
    silentSeconds: 1,
  })
  try {
    expect(await reader.read('listDashboardTrust', undefined)).toMatchObject({
      state: 'unreadable',
      reason: 'crashed',
    })
  } finally {
    await reader.end()
  }
})

test('a process that announces a pause is not killed', async () => {
  const away = join(folder, 'away.mjs')
  writeFileSync(
    away,
    `process.on('message', ({ type, id }) => {
       if (type !== 'read') return
       process.send({ type: 'away', seconds: 60 }, () => {
         for (const until = Date.now() + 4000; Date.now() < until;);
         process.send({ type: 'failed', id, message: 'It is back' })
       })
     })
     process.send({ ready: true })`,
  )
  const reader = createAgentsReader({
    startProcess: () => forkHelper(away, 'agents'),
    folder,
    mirror: join(folder, 'mirror.db'),
    log,
    silentSeconds: 1,
  })
  try {
    await expect(reader.read('listDashboardTrust', undefined)).rejects.toThrow('It is back')
  } finally {
    await reader.end()
  }
})

test('a query that takes too long is answered as too slow and canceled, and the process keeps running', async () => {
  const slow = join(folder, 'slow.mjs')
  // Answers nothing until a query was canceled, but keeps sending messages.
  writeFileSync(
    slow,
    `let canceled = null
     setInterval(() => process.send({ type: 'opening', trace: 'same' }), 50)
     process.on('message', ({ type, id }) => {
       if (type === 'cancel') canceled ??= id
       if (type !== 'read' || canceled === null) return
       process.send({ type: 'failed', id, message: 'Question ' + canceled + ' was canceled' })
     })
     process.send({ ready: true })`,
  )
  const reader = createAgentsReader({
    startProcess: () => forkHelper(slow, 'agents'),
    folder,
    mirror: join(folder, 'mirror.db'),
    log,
    answerMs: 500,
  })
  try {
    expect(await reader.read('listDashboardTrust', undefined)).toEqual({
      state: 'unreadable',
      reason: 'slow',
      detail: 'listDashboardTrust took too long',
    })
    // On a busy machine, the next answers may be too slow as well.
    await vi.waitFor(
      () => expect(reader.read('listDashboardTrust', undefined)).rejects.toThrow('Question 1 was canceled'),
      { timeout: 20_000 },
    )
  } finally {
    await reader.end()
  }
})

test('a process that uses more than 1 GiB is killed, and the query is answered with the problem', async () => {
  const greedy = join(folder, 'greedy.mjs')
  // The real process, then filling native memory without a pause. It stops at 2 GiB so that the machine survives.
  writeFileSync(
    greedy,
    `import ${JSON.stringify(entry)}
     const held = []
     process.on('message', ({ type }) => {
       while (type === 'read' && held.length < 64) held.push(Buffer.alloc(32 * 1024 * 1024, 1))
     })`,
  )
  let ended = 0
  const reader = createAgentsReader({
    startProcess: () => {
      const helper = forkHelper(greedy, 'agents')
      helper.onExit(() => (ended += 1))
      return helper
    },
    folder,
    mirror: join(folder, 'mirror.db'),
    log,
    // So that it is not killed for being silent.
    silentSeconds: 60,
  })
  try {
    expect(await reader.read('listDashboardTrust', undefined)).toMatchObject({
      state: 'unreadable',
      reason: 'crashed',
      detail: 'the process that reads the agent project ended',
    })
    expect(ended).toBe(1)
  } finally {
    await reader.end()
  }
})

test('after `end`, queries are rejected', async () => {
  const reader = await using(entry, folder, async (held) => held)
  await expect(reader.read('listDashboardTrust', undefined)).rejects.toThrow('is stopping')
})
