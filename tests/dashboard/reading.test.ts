import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import type { AgentOwner } from '../support/agents/agent-owner.ts'
import { makeAgentProject, removeDatabase } from '../support/agents/agent-project.ts'
import type { Journal } from '../support/agents/agent-project.ts'
import { dashboardPaths, listFolder, startTestDashboard } from '../support/agents/dashboard.ts'
import type { TestDashboard } from '../support/agents/dashboard.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'
import { until } from '../support/wait.ts'

let app: TestDashboard
let owner: AgentOwner | null = null
beforeAll(async () => {
  app = await startTestDashboard()
})
afterAll(() => app.stop())
beforeEach(() => removeDatabase(app.project))
afterEach(async () => {
  await owner?.kill()
  owner = null
})

const namesOf = async (): Promise<unknown[]> => {
  const { status, body } = await app.get('/api/agents')
  return status === 200 ? (body['agents'] as { name: string }[]).map(({ name }) => name) : [body.code]
}
const addAgent =
  "INSERT INTO agents (id, name, status, created_at, updated_at) VALUES (?, ?, 'running', '', '')"
const createProjectWith = (name: string, journal: Journal = 'wal'): void => {
  makeAgentProject(app.project.folder, {
    journal,
    fill: (database) => void database.prepare(addAgent).run(name, name),
  })
}
const getAll = () => Promise.all(dashboardPaths.map((path) => app.get(path)))
const fileNames = (): string[] => Object.keys(listFolder(app.project))

describe.each(['wal', 'delete'] as const)(
  'while its owner has the database open (journal mode %s)',
  (journal) => {
    test('the next answer contains every change', async () => {
      createProjectWith('first', journal)
      owner = await startOwner(app.project, journal)
      for (let n = 0; n < 20; n += 1) {
        await owner.run(addAgent, `id-${n}`, `next-${n}`)
        expect(await namesOf()).toContain(`next-${n}`)
      }
      await owner.run('DELETE FROM agents')
      expect(await namesOf()).toEqual([])
    })

    test('uncommitted changes are not visible', async () => {
      createProjectWith('first', journal)
      owner = await startOwner(app.project, journal)
      await owner.run('BEGIN IMMEDIATE')
      await owner.run(addAgent, 'x', 'second')
      expect(await namesOf()).toEqual(['first'])
      await owner.run('COMMIT')
      expect(await namesOf()).toEqual(['first', 'second'])
    })

    test('the owner can keep writing, and every answer is consistent', async () => {
      createProjectWith('first', journal)
      owner = await startOwner(app.project, journal)
      await owner.keepWriting(25)
      for (let n = 0; n < 10; n += 1) {
        for (const { status } of await getAll()) expect(status).toBe(200)
      }
      const { rows: written } = await owner.stopWriting()
      const { body } = await app.get('/api/audit')
      const entries = body['entries'] as { verified: boolean }[]
      expect(entries).toHaveLength(Math.min(written, 500))
      expect(entries.every(({ verified }) => verified)).toBe(true)
    })

    test('no trace is left in its folder when it closes after many requests', async () => {
      createProjectWith('first', journal)
      let isLeft = true
      // The watch reads when it notices a change. The rulings' one exception: a read that overlaps the close may leave
      // files behind.
      for (let round = 0; isLeft && round < 5; round += 1) {
        owner = await startOwner(app.project, journal)
        await owner.keepWriting(25)
        for (let n = 0; n < 10; n += 1) await getAll()
        await owner.stopWriting()
        await owner.close()
        owner = null
        isLeft = fileNames().length > 1
      }
      expect(isLeft).toBe(false)
      const closed = listFolder(app.project)
      for (let n = 0; n < 5; n += 1) await getAll()
      expect(await namesOf()).toEqual(['first'])
      expect(listFolder(app.project)).toEqual(closed)
    })

    test('the files of a killed owner are read and not changed', async () => {
      createProjectWith('first', journal)
      owner = await startOwner(app.project, journal)
      await owner.run(addAgent, 'x', 'second')
      await owner.kill()
      owner = null
      const left = listFolder(app.project)
      expect(await namesOf()).toEqual(['first', 'second'])
      await getAll()
      expect(listFolder(app.project)).toEqual(left)
    })

    test('a lock of more than 2 s gives 503 with Retry-After, until it is released', async () => {
      createProjectWith('first', journal)
      owner = await startOwner(app.project, journal)
      await owner.run('PRAGMA locking_mode = EXCLUSIVE')
      await owner.run('BEGIN EXCLUSIVE')
      await owner.run(addAgent, 'x', 'second')
      const startedAt = performance.now()
      const reply = await app.get('/api/agents')
      expect(reply).toMatchObject({ status: 503, body: { code: 'AGENTS_UNAVAILABLE' } })
      expect(reply.headers.get('retry-after')).toBe('2')
      expect(performance.now() - startedAt).toBeGreaterThan(1900)
      const waiting = app.get('/api/agents')
      await owner.run('ROLLBACK')
      await owner.run('PRAGMA locking_mode = NORMAL')
      await owner.run('SELECT count(*) FROM agents')
      expect((await waiting).status).toBe(200)
      expect(await namesOf()).toEqual(['first'])
    })
  },
)

test('with a write-ahead log, others can read even during an exclusive transaction', async () => {
  createProjectWith('first')
  owner = await startOwner(app.project)
  await owner.run('BEGIN EXCLUSIVE')
  await owner.run(addAgent, 'x', 'second')
  expect(await namesOf()).toEqual(['first'])
})

test('a log that its owner does not share is not ignored', async () => {
  createProjectWith('first')
  // With an exclusive lock there is no index file: the owner keeps the index in memory.
  owner = await startOwner(app.project, 'wal', 'EXCLUSIVE')
  await owner.run(addAgent, 'x', 'second')
  expect(fileNames()).toEqual(['nexus.db', 'nexus.db-wal'])
  expect(await app.get('/api/agents')).toMatchObject({ status: 503, body: { code: 'AGENTS_UNAVAILABLE' } })
  expect(fileNames()).toEqual(['nexus.db', 'nexus.db-wal'])
})

test('an unfinished write is rolled back in a copy, and the files are not changed', async () => {
  createProjectWith('first', 'delete')
  owner = await startOwner(app.project, 'delete')
  await owner.run('PRAGMA cache_size = 5')
  for (let n = 0; n < 300; n += 1) await owner.run(addAgent, `${n} ${'x'.repeat(400)}`, `agent ${n}`)
  await owner.run('BEGIN')
  await owner.run("UPDATE agents SET name = name || ' changed', template = hex(randomblob(300))")
  await owner.kill()
  owner = null
  expect(fileNames()).toContain('nexus.db-journal')
  const left = listFolder(app.project)
  const names = await namesOf()
  expect(names).toHaveLength(301)
  expect(names.filter((name) => String(name).endsWith('changed'))).toEqual([])
  expect(listFolder(app.project)).toEqual(left)
})

test('a log without its index is read, and no index is created', async () => {
  createProjectWith('first')
  owner = await startOwner(app.project)
  await owner.run(addAgent, 'x', 'second')
  await owner.kill()
  owner = null
  rmSync(`${app.project.file}-shm`)
  const left = listFolder(app.project)
  expect(Object.keys(left)).toEqual(['nexus.db', 'nexus.db-wal'])
  expect(await namesOf()).toEqual(['first', 'second'])
  await getAll()
  expect(listFolder(app.project)).toEqual(left)
})

test('an empty log that no program has open is ignored', async () => {
  createProjectWith('first')
  writeFileSync(`${app.project.file}-wal`, '')
  const left = listFolder(app.project)
  expect(await namesOf()).toEqual(['first'])
  expect(listFolder(app.project)).toEqual(left)
})

test('a database that no program has open is read without a lock, and a new owner is noticed', async () => {
  createProjectWith('first')
  const alone = listFolder(app.project)
  await getAll()
  expect(listFolder(app.project)).toEqual(alone)
  owner = await startOwner(app.project)
  await owner.run(addAgent, 'x', 'second')
  expect(await namesOf()).toEqual(['first', 'second'])
})

describe('a project that is', () => {
  test('deleted gives empty lists until it is back', async () => {
    createProjectWith('first')
    expect(await namesOf()).toEqual(['first'])
    renameSync(app.project.file, `${app.project.file}.away`)
    expect(await namesOf()).toEqual([])
    renameSync(`${app.project.file}.away`, app.project.file)
    expect(await namesOf()).toEqual(['first'])
    rmSync(dirname(app.project.file), { recursive: true })
    expect(await namesOf()).toEqual([])
    writeFileSync(dirname(app.project.file), 'a file where the folder was')
    expect(await namesOf()).toEqual([])
    rmSync(dirname(app.project.file))
  })

  test('replaced by another one is read from the next answer on', async () => {
    createProjectWith('first')
    expect(await namesOf()).toEqual(['first'])
    const next = `${app.project.folder}-next`
    makeAgentProject(next, { fill: (database) => void database.prepare(addAgent).run('2', 'second') })
    cpSync(`${next}/data/nexus.db`, `${app.project.file}.next`)
    // An owner that closes its database while another program reads it leaves its log behind, as SQLite always does.
    rmSync(`${app.project.file}-wal`, { force: true })
    renameSync(`${app.project.file}.next`, app.project.file)
    rmSync(next, { recursive: true })
    expect(await namesOf()).toEqual(['second'])
  })

  test('created while the server runs is read', async () => {
    expect(await namesOf()).toEqual([])
    createProjectWith('first', 'delete')
    expect(await namesOf()).toEqual(['first'])
  })

  test.each([
    [
      'a text file',
      'This is a text of more than a hundred characters that ended up in this file by mistake. '.repeat(3),
    ],
    ['a few bytes', 'x'],
  ])('%s gives 503 with an explanation until it is replaced', async (_name, text) => {
    mkdirSync(dirname(app.project.file), { recursive: true })
    writeFileSync(app.project.file, text)
    for (const { status, body } of await getAll()) {
      expect(status).toBe(503)
      expect(body).toEqual({
        error:
          "The agent project's data/nexus.db is not an SQLite database. Replace the file or choose another project.",
        code: 'AGENTS_UNAVAILABLE',
      })
    }
    removeDatabase(app.project)
    createProjectWith('first')
    expect(await namesOf()).toEqual(['first'])
  })

  test('damaged gives 503 where it cannot be read, and the server keeps running', async () => {
    makeAgentProject(app.project.folder, {
      journal: 'delete',
      fill: (database) => {
        const insert = database.prepare(addAgent)
        for (let n = 0; n < 2000; n += 1) insert.run(`id-${n}`, `agent-${n} ${'x'.repeat(100)}`)
      },
    })
    const size = statSync(app.project.file).size
    const bytes = Buffer.alloc(size - 8192, 0xa5)
    const whole = Buffer.concat([readFileSync(app.project.file).subarray(0, 8192), bytes])
    writeFileSync(app.project.file, whole)
    // The cached answer may be returned until the next check of the file.
    const reply = await until('the damage is noticed', async () => {
      const answer = await app.get('/api/agents')
      return answer.status === 503 ? answer : null
    })
    expect(reply).toMatchObject({ body: { code: 'AGENTS_UNAVAILABLE' } })
    expect(reply.body.error).toContain('is damaged')
    expect((await fetch(`${app.registry}/api/health`)).status).toBe(200)
  })

  test('truncated gives 503 or empty lists, never a crash', async () => {
    createProjectWith('first')
    const { size } = statSync(app.project.file)
    for (const length of [50, 100, 512, 4096, 5000, size - 4096]) {
      removeDatabase(app.project)
      createProjectWith('first')
      truncateSync(app.project.file, length)
      for (const { status } of await getAll()) expect([200, 503]).toContain(status)
    }
    expect((await fetch(`${app.dashboard}/api/health`)).status).toBe(200)
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(isRoot)(
    `without read permission gives 503 and says so${isRoot ? ` (${ALLOWED_SKIPS.otherUser})` : ''}`,
    async () => {
      createProjectWith('first')
      chmodSync(app.project.file, 0)
      expect((await app.get('/api/agents')).body.error).toContain("Change the file's permissions")
    },
  )
})

test('another project or none can be chosen while the server runs', async () => {
  createProjectWith('first')
  const other = `${app.project.folder}-other`
  makeAgentProject(other, { fill: (database) => void database.prepare(addAgent).run('o', 'other') })
  try {
    expect(await namesOf()).toEqual(['first'])
    await app.server.settings.save({ workspace: other })
    expect(await namesOf()).toEqual(['other'])
    await app.server.settings.save({ workspace: null })
    expect(await namesOf()).toEqual([])
    await app.server.settings.save({ workspace: app.project.folder })
    expect(await namesOf()).toEqual(['first'])
  } finally {
    rmSync(other, { recursive: true })
  }
})

test('a search ends when its request is aborted', async () => {
  makeAgentProject(app.project.folder, {
    fill: (database) => {
      const insert = database.prepare("INSERT INTO audit_log VALUES (?, '', ?, 'a', 'e', ?, '')")
      for (let id = 1; id <= 150_000; id += 1) insert.run(id, id, `detail ${id}`)
    },
  })
  const controller = new AbortController()
  const search = fetch(`${app.dashboard}/api/audit?q=nothing%20at%20all`, { signal: controller.signal })
  controller.abort()
  await expect(search).rejects.toThrow(/abort/i)
  expect(await namesOf()).toEqual([])
  expect(app.logs.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('the log says only once why a project cannot be read', async () => {
  mkdirSync(dirname(app.project.file), { recursive: true })
  writeFileSync(app.project.file, 'not a database, and longer than the header of one'.repeat(4))
  const linesOf = (text: string): string[] => app.logs.filter((line) => line.includes(text))
  const before = linesOf('the agent project cannot be read').length
  await getAll()
  await until('the log says so', () => linesOf('the agent project cannot be read').length > before)
  await getAll()
  expect(linesOf('the agent project cannot be read')).toHaveLength(before + 1)
})
