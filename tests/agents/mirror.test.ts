import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditPage } from '../../src/shared/contracts/desk-agents-audit.ts'
import type { AgentCost } from '../../src/shared/contracts/desk-agents-cost.ts'
import type { AgentOverview } from '../../src/shared/contracts/desk-agents.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { startOwner } from '../support/agents/agent-owner.ts'
import {
  addManyRows,
  makeAgentProject,
  removeDatabase,
  withProject,
} from '../support/agents/agent-project.ts'
import type { AgentProject } from '../support/agents/agent-project.ts'
import { listFolder } from '../support/agents/dashboard.ts'
import { startDeskAgents, writeCost } from '../support/agents/desk-agents.ts'
import type { DeskAgents } from '../support/agents/desk-agents.ts'
import { mountSmallDisk, skipWithoutMount } from '../support/server/small-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-agents-mirror-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** More audit rows than are compared completely after each change. */
const audit = 12_000
const makeProject = (name: string): AgentProject =>
  makeAgentProject(join(folder, name), {
    fill(database) {
      addManyRows(database, { agents: 20, audit })
      for (let n = 0; n < 50; n += 1) writeCost(database, { cents: n })
    },
  })

/** What the views show once all rows are counted. */
async function viewsOf(app: DeskAgents): Promise<unknown> {
  const whole = await app.readUntil<AgentOverview>(
    'everything is read',
    '/overview',
    ({ audit: found }) => found?.total === audit,
  )
  const { spent, groups } = await app.read<AgentCost>('/cost?period=today&by=agent')
  const { items, total } = await app.read<AuditPage>('/audit?agent=agent-00007')
  return { counts: whole.agents, summary: { ...whole.audit, checkedAt: null }, spent, groups, items, total }
}

describe('the mirror in the data folder', () => {
  const project = makeProject('kept')
  const data = join(folder, 'kept-data')
  const file = dataPaths(data).agentsMirror
  const start = (): Promise<DeskAgents> => startDeskAgents({ folder: data, project: project.folder })
  let expected: unknown
  beforeAll(async () => {
    const app = await start()
    expected = await viewsOf(app)
    await app.stop()
  })

  test.each<[string, () => void]>([
    ['is unchanged', () => {}],
    ['is deleted', () => rmSync(file)],
    ['is truncated', () => truncateSync(file, 40_000)],
    ['is empty', () => truncateSync(file, 0)],
    ['is not a database', () => writeFileSync(file, Buffer.alloc(65_536, 7))],
    [
      'contains garbage',
      () => {
        const bytes = readFileSync(file)
        bytes.fill(7, 8192, bytes.length - 4096)
        writeFileSync(file, bytes)
      },
    ],
    [
      'has another version',
      () => {
        const mirror = new Sqlite(file)
        mirror.pragma('user_version = 999')
        mirror.exec('DROP TABLE audit')
        mirror.close()
      },
    ],
    [
      'belongs to another project',
      () => {
        const mirror = new Sqlite(file)
        mirror.exec("UPDATE project SET inode = '0:0'; DELETE FROM audit")
        mirror.close()
      },
    ],
  ])('that %s gives the same answers after a start', async (_what, damage) => {
    expect(existsSync(file)).toBe(true)
    damage()
    const app = await start()
    try {
      expect(await viewsOf(app)).toEqual(expected)
    } finally {
      await app.stop()
    }
  })

  test('reports rows that were edited while no server was running', async () => {
    withProject(project, (database) => {
      database.exec(
        "UPDATE audit_log SET detail = 'edited' WHERE id = 3; DELETE FROM audit_log WHERE id = 5000",
      )
    })
    const app = await start()
    try {
      const { summary } = await app.readUntil<AuditPage>(
        'both are found',
        '/audit',
        ({ summary: found }) => found.mismatches === 1 && found.total === audit - 1,
      )
      expect(summary).toMatchObject({ missing: 1, gaps: 1 })
      withProject(project, (database) => database.exec("UPDATE audit_log SET detail = 'edited' WHERE id = 2"))
      // Without requesting the row itself.
      await app.readUntil<AuditPage>(
        'the edit of an old row is found',
        '/audit',
        ({ summary: found }) => found.mismatches === 2,
      )
    } finally {
      await app.stop()
    }
  })
})

describe('if the mirror cannot be written', () => {
  test('the desk says what to do, the dashboard API still answers, and everything is read once it is writable', async () => {
    const project = makeProject('unwritable')
    const data = join(folder, 'unwritable-data')
    const file = dataPaths(data).agentsMirror
    mkdirSync(file, { recursive: true })
    writeFileSync(join(file, 'in-the-way'), '')
    const app = await startDeskAgents({ folder: data, project: project.folder })
    try {
      expect(await app.rita.get('/agents/overview')).toMatchObject({
        status: 503,
        body: { code: 'AGENTS_UNAVAILABLE', error: expect.stringContaining('agents-mirror.db') as string },
      })
      expect((await fetch(`${app.dashboard}/api/agents`)).status).toBe(200)
      rmSync(file, { recursive: true })
      expect(await viewsOf(app)).toMatchObject({ total: audit / 20 })
    } finally {
      await app.stop()
    }
  })

  test.skipIf(skipWithoutMount)(
    'because the disk is full, copied rows are kept and the rest follows later',
    async () => {
      const disk = mountSmallDisk(64)
      const project = makeAgentProject(join(folder, 'full'))
      const app = await startDeskAgents({ folder: join(disk.folder, 'data'), project: project.folder })
      try {
        expect((await app.read<AuditPage>('/audit')).items).toEqual([])
        disk.fill()
        removeDatabase(project)
        makeProject('full')
        expect(await app.rita.get('/agents/audit')).toMatchObject({
          status: 503,
          body: {
            code: 'AGENTS_UNAVAILABLE',
            error: expect.stringContaining('disk with the data folder is full') as string,
          },
        })
        expect((await fetch(`${app.dashboard}/api/audit`)).status).toBe(200)
        disk.clear()
        expect(await viewsOf(app)).toMatchObject({
          total: audit / 20,
          summary: { mismatches: 0, missing: 0 },
        })
      } finally {
        await app.stop()
        disk.unmount()
      }
    },
  )
})

describe.each(['wal', 'delete'] as const)('while the owner keeps writing (journal mode %s)', (journal) => {
  test('every row is counted and verified, and no trace is left in its folder', async () => {
    const project = makeAgentProject(join(folder, `live-${journal}`), { journal })
    const app = await startDeskAgents({
      folder: join(folder, `live-${journal}-data`),
      project: project.folder,
    })
    try {
      let isLeft = true
      let written = 0
      // The rulings' one exception: a read that overlaps the close may leave files behind.
      for (let round = 0; isLeft && round < 5; round += 1) {
        const owner = await startOwner(project, journal)
        await owner.keepWriting(25)
        for (let n = 0; n < 10; n += 1) {
          await app.read('/overview')
          await app.read('/audit')
        }
        written += (await owner.stopWriting()).rows
        await owner.close()
        isLeft = Object.keys(listFolder(project)).length > 1
      }
      expect(isLeft).toBe(false)
      const closed = listFolder(project)
      const { summary } = await app.readUntil<AuditPage>(
        'all rows are counted',
        '/audit',
        ({ summary: { total } }) => total === written,
      )
      expect(summary).toMatchObject({ checked: written, mismatches: 0, missing: 0 })
      expect(listFolder(project)).toEqual(closed)
    } finally {
      await app.stop()
    }
  })
})

test('a project without any known table has views that list all of them as missing', async () => {
  const project = makeAgentProject(join(folder, 'foreign'))
  removeDatabase(project)
  withProject(project, (database) =>
    database.exec(`
      CREATE TABLE unknown (id);
      CREATE VIEW agents AS SELECT 1 AS name;
      CREATE TABLE trust_records (agent_name, t_score, more)`),
  )
  withProject(project, (database) =>
    database.exec(
      "INSERT INTO trust_records VALUES (x'ff00', 'many', 1), (7, 8.5, NULL), (NULL, NULL, NULL)",
    ),
  )
  const app = await startDeskAgents({ folder: join(folder, 'foreign-data'), project: project.folder })
  try {
    for (const [path, tables] of [
      ['/overview', ['agents', 'cost_events', 'broker_routes', 'audit_log']],
      ['/list', ['agents', 'supervisors', 'supervisor_children', 'cost_events', 'audit_log']],
      ['/supervisors', ['supervisors', 'supervisor_children', 'agents', 'cost_budgets', 'audit_log']],
      ['/cost?period=today', ['cost_events', 'cost_budgets', 'agents']],
      ['/edge', ['edge_deployments', 'agents']],
      ['/broker?period=today', ['broker_routes', 'skills']],
      ['/trust', ['agents']],
    ] as const) {
      const { stamp } = await app.read(path)
      expect([path, stamp.counting, stamp.missingTables.toSorted()]).toEqual([path, null, tables.toSorted()])
    }
    const trust = await app.read<{ items: unknown[] }>('/trust?sort=score')
    expect(trust.items).toMatchObject([{ agent: '7', score: 8.5 }, { score: null }, { score: null }])
  } finally {
    await app.stop()
  }
})
