import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { copyProject } from '../../src/server/agents/copy-project.ts'
import { maxCellBytes } from '../../src/server/agents/cell-values.ts'
import { forkHelper } from '../../src/server/processes/fork-helper.ts'
import type { ForkedHelper } from '../../src/server/processes/fork-helper.ts'
import { addManyRows, makeAgentProject } from '../support/agents/agent-project.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { getJson } from '../support/agents/dashboard.ts'
import type { DashboardReply } from '../support/agents/dashboard.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { makeLoopingProject } from '../support/agents/hostile-project.ts'
import { residentBytes } from '../support/agents/poll-dashboard.ts'
import { helperEntries, startTestServer } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

afterAll(cleanUp)

const cannotRead = /^This project cannot be read: /
/** Memory limit for the server and all its processes, in bytes. */
const maxBytes = 1536 * 1024 * 1024

const startOn = (folder: string): Promise<Serving> =>
  serve(temporaryFolder(), { SKILLDOCK_WORKSPACE: folder })

/** Requests the audit log, and meanwhile polls the registry and measures memory. */
async function requestAudit(
  server: Serving,
): Promise<{ reply: DashboardReply; worstMs: number; peak: number }> {
  const progress = { isDone: false }
  const request = getJson(`${server.dashboard}/api/audit`).finally(() => {
    progress.isDone = true
  })
  let worstMs = 0
  let peak = 0
  while (!progress.isDone) {
    const startedAt = performance.now()
    expect((await fetch(`${server.registry}/api/marketplace/skills`)).status).toBe(200)
    worstMs = Math.max(worstMs, performance.now() - startedAt)
    if (process.platform === 'linux') peak = Math.max(peak, residentBytes(server.pid))
  }
  return { reply: await request, worstMs, peak }
}

describe('cells that are too large', () => {
  test('rows that share a looping overflow chain are read without those cells, and nothing crashes', async () => {
    const project = makeLoopingProject(join(temporaryFolder(), 'looping'))
    expect(statSync(project.file).blocks * 512).toBeLessThan(256 * 1024)
    const server = await startOn(project.folder)
    const { reply, worstMs, peak } = await requestAudit(server)
    console.log(`looping chain: registry ${worstMs.toFixed(0)} ms at most, ${(peak / 1e6).toFixed(0)} MB`)
    expect(reply.status).toBe(200)
    const entries = reply.body['entries'] as Record<string, unknown>[]
    expect(entries).toHaveLength(7)
    expect(entries[0]).toMatchObject({
      id: 7,
      agent_name: 'looping',
      detail: null,
      verified: false,
      invalid: ['detail'],
    })
    expect(peak).toBeLessThan(maxBytes)
    expect(await server.stop()).toMatchObject({ status: 0 })
  }, 60_000)

  test('cells of 300 MB are reported as invalid, and the rows around them are unaffected', async () => {
    const project = makeAgentProject(join(temporaryFolder(), 'large-cells'), {
      journal: 'delete',
      fill(database) {
        addManyRows(database, { agents: 3, audit: 20 })
        const grow = database.prepare(
          'UPDATE audit_log SET detail = CAST(zeroblob(300000000) AS TEXT) WHERE id = ?',
        )
        for (const id of [5, 12]) grow.run(id)
      },
    })
    const server = await startOn(project.folder)
    const { reply, worstMs, peak } = await requestAudit(server)
    console.log(`300 MB cells: registry ${worstMs.toFixed(0)} ms at most, ${(peak / 1e6).toFixed(0)} MB`)
    expect(reply.status).toBe(200)
    const entries = reply.body['entries'] as { id: number; verified: boolean; invalid?: string[] }[]
    expect(entries.filter(({ verified }) => !verified).map(({ id }) => id)).toEqual([12, 5])
    expect(entries.filter(({ invalid }) => invalid !== undefined).map(({ id }) => id)).toEqual([12, 5])
    expect(peak).toBeLessThan(maxBytes)
    expect(await server.stop()).toMatchObject({ status: 0 })
  }, 120_000)

  test('an entry with such a cell is not verified, whatever its stored hash', async () => {
    const hashOf = (detail: Uint8Array | string): string =>
      createHash('sha256').update('1:a:step:').update(detail).digest('hex')
    const app = await startTestServer({
      config: {
        workspace: makeAgentProject(join(temporaryFolder(), 'hashes'), {
          fill(database) {
            const add = database.prepare(
              "INSERT INTO audit_log VALUES (?, '2026-11-01 10:00:00', 1, 'a', 'step', ?, ?)",
            )
            const large = 'x'.repeat(maxCellBytes + 1)
            add.run(1, large, hashOf(''))
            add.run(2, large, hashOf(Buffer.from('fffefdfc', 'hex')))
            add.run(3, large, hashOf(large))
            add.run(4, large.slice(1), hashOf(large.slice(1)))
          },
        }).folder,
      },
    })
    try {
      const { body } = await getJson(`${app.dashboard}/api/audit`)
      const entries = body['entries'] as { id: number; verified: boolean }[]
      expect(entries.map(({ id, verified }) => [id, verified])).toEqual([
        [4, true],
        [3, false],
        [2, false],
        [1, false],
      ])
    } finally {
      await app.stop()
    }
  })
})

describe('files next to the database', () => {
  const suffixes = ['-journal', '-wal', '-shm']

  test.skipIf(process.platform === 'win32').each(suffixes)(
    'a named pipe at nexus.db%s is never opened',
    async (end) => {
      const project = makeAgentProject(join(temporaryFolder(), 'pipe'), {
        journal: end === '-journal' ? 'delete' : 'wal',
      })
      execFileSync('mkfifo', [`${project.file}${end}`])
      const server = await startOn(project.folder)
      const { reply } = await requestAudit(server)
      expect(reply).toMatchObject({ status: 503, body: { error: expect.stringMatching(cannotRead) } })
      rmSync(`${project.file}${end}`)
      await until(
        'it can be read',
        async () => (await getJson(`${server.dashboard}/api/agents`)).status === 200,
      )
      expect(await server.stop()).toMatchObject({ status: 0 })
    },
  )

  test.skipIf(process.platform === 'win32').each([
    [
      'data',
      (folder: string, away: string) => {
        renameSync(join(folder, 'data'), away)
        symlinkSync(away, join(folder, 'data'))
      },
    ],
    [
      'data/nexus.db',
      (folder: string, away: string) => {
        mkdirSync(away)
        renameSync(join(folder, 'data/nexus.db'), join(away, 'nexus.db'))
        symlinkSync(join(away, 'nexus.db'), join(folder, 'data/nexus.db'))
      },
    ],
  ] as const)('a link at %s that leads out of the folder is not followed', async (_name, lead) => {
    const project = makeAgentProject(join(temporaryFolder(), 'linked'))
    lead(project.folder, join(temporaryFolder(), 'away'))
    const app = await startTestServer({ config: { workspace: project.folder } })
    try {
      expect(await getJson(`${app.dashboard}/api/agents`)).toMatchObject({
        status: 503,
        body: { error: expect.stringMatching(cannotRead) },
      })
    } finally {
      await app.stop()
    }
  })

  test('a journal that refers to another file is not rolled back, because SQLite would delete that file', () => {
    const project = makeAgentProject(join(temporaryFolder(), 'journal'), { journal: 'delete' })
    const precious = join(temporaryFolder(), 'precious.txt')
    writeFileSync(precious, 'keep me')
    const name = Buffer.from(precious)
    const end = Buffer.alloc(8)
    end.writeUInt32BE(name.length)
    end.writeUInt32BE(
      name.reduce((sum, byte) => sum + byte, 0),
      4,
    )
    const magic = Buffer.from('d9d505f920a163d7', 'hex')
    const page = Buffer.alloc(4)
    writeFileSync(
      `${project.file}-journal`,
      Buffer.concat([magic, Buffer.alloc(504), page, name, end, magic]),
    )
    expect(copyProject(project.file)).toBe('its journal refers to another file')
    expect(existsSync(precious)).toBe(true)
  })
})

describe('the reading process', () => {
  /** A server whose reading processes the test can stop or kill, as a hostile file would. */
  const startObserved = async () => {
    const project = makeAgentProject(join(temporaryFolder(), 'watched'), {
      fill: (filled) => addManyRows(filled, { agents: 3, audit: 3 }),
    })
    const readers: ForkedHelper[] = []
    const app = await startTestServer({
      config: { workspace: project.folder },
      startHelper(kind, mayWrite) {
        const helper = forkHelper(helperEntries[kind], kind, mayWrite)
        if (kind === 'agents') readers.push(helper)
        return helper
      },
    })
    const ask = (): Promise<DashboardReply> => getJson(`${app.dashboard}/api/agents`)
    /** Sends a signal to the newest process once it has read the project. */
    const signal = async (name: NodeJS.Signals): Promise<void> => {
      const before = readers.length
      await until('the project can be read', async () => (await ask()).status === 200)
      process.kill(readers.at(-1)?.pid ?? 0, name)
      if (name === 'SIGKILL') await until('another process has started', () => readers.length > before)
    }
    return { app, project, readers, ask, signal }
  }

  test('does not reopen files that crashed it twice, until they change or an administrator retries', async () => {
    const { app, project, readers, ask, signal } = await startObserved()
    try {
      await signal('SIGKILL')
      await signal('SIGKILL')
      const isNoLongerOpened = (): boolean => app.logs.some((line) => line.includes('the same files crashed'))
      await until('the files are no longer opened', isNoLongerOpened)
      expect(await ask()).toMatchObject({ status: 503, body: { error: expect.stringMatching(cannotRead) } })

      await app.token({ subject: 'rita', role: 'administrator' })
      const desk = await signIn(app, 'rita')
      expect((await desk.get('/agents/project')).body).toMatchObject({
        state: 'unreadable',
        sentence: expect.stringMatching(cannotRead),
      })
      expect((await desk.send('POST', '/agents/project/retry')).status).toBe(200)
      await signal('SIGKILL')
      await signal('SIGKILL')
      await until('they are no longer opened again', async () => (await ask()).status === 503)

      const now = new Date()
      utimesSync(project.file, now, now)
      await until('they can be read after a change', async () => (await ask()).status === 200)
      expect(readers.length).toBeGreaterThan(4)
    } finally {
      await app.stop()
    }
  }, 60_000)

  test.skipIf(process.platform === 'win32')(
    'is killed when it hangs; another project can be chosen at once, and the server stops without waiting for it',
    async () => {
      const { app, ask, signal } = await startObserved()
      const other = makeAgentProject(join(temporaryFolder(), 'other'), {
        fill: (filled) => addManyRows(filled, { agents: 1, audit: 1 }),
      })
      await signal('SIGSTOP')
      expect(await ask()).toMatchObject({ status: 503, body: { error: expect.stringMatching(cannotRead) } })

      await signal('SIGSTOP')
      await app.server.settings.save({ workspace: other.folder })
      const { status, body } = await ask()
      expect([status, (body['agents'] as unknown[]).length]).toEqual([200, 1])

      await signal('SIGSTOP')
      const pending = Promise.allSettled([ask()])
      await app.stop()
      await pending
    },
    90_000,
  )
})
