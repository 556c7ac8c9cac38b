import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentProject } from '../../src/shared/contracts/desk-agents-project.ts'
import type { AgentOverview } from '../../src/shared/contracts/desk-agents.ts'
import { deskClient, signIn } from '../support/desk/desk-client.ts'
import type { DeskReply } from '../support/desk/desk-client.ts'
import { startOwner } from '../support/agents/agent-owner.ts'
import { makeAgentProject, removeDatabase } from '../support/agents/agent-project.ts'
import { startDeskAgents, writeAgent } from '../support/agents/desk-agents.ts'
import type { DeskAgents } from '../support/agents/desk-agents.ts'
import { startTestRegistry } from '../support/server/registry.ts'

let app: DeskAgents
let other: string
beforeAll(async () => {
  app = await startDeskAgents()
  other = mkdtempSync(join(tmpdir(), 'skilldock-other-project-'))
})
afterAll(async () => {
  await app.stop()
  rmSync(other, { recursive: true, force: true })
})

const project = (): Promise<AgentProject> => app.read<AgentProject>('/project')
const choose = (folder: string | null): Promise<DeskReply<AgentProject & { code?: string }>> =>
  app.rita.send('PUT', '/agents/project', { folder })
const agentsNow = async (): Promise<number | undefined> =>
  (await app.read<AgentOverview>('/overview')).agents?.total

describe('the chosen project', () => {
  test('without a database is shown as missing, with empty lists, until there is one', async () => {
    expect(await project()).toMatchObject({
      state: 'missing',
      folder: app.project.folder,
      bytes: null,
      counts: { agents: null, alerts: 0 },
    })
    expect((await project()).sentence).toContain('data/nexus.db')
    expect(await app.read('/overview')).toMatchObject({
      stamp: { state: 'missing' },
      agents: null,
      alerts: [],
      events: [],
    })
    makeAgentProject(app.project.folder, { fill: (database) => writeAgent(database, 'first') })
    const ready = await app.readUntil<AgentProject>(
      'the database exists',
      '/project',
      // The size is from the last check, which may have seen the file half-written.
      ({ counts, bytes }) => counts.agents === 1 && bytes !== null && bytes > 1000,
    )
    expect(ready).toMatchObject({
      state: 'ready',
      sentence: null,
      journal: 'wal',
      name: basename(app.project.folder),
    })
  })

  test('is missing while it is moved away, and unchanged when it is back', async () => {
    const away = `${dirname(app.project.file)}-away`
    renameSync(dirname(app.project.file), away)
    await app.readUntil<AgentProject>('it is missing', '/project', ({ state }) => state === 'missing')
    expect(await agentsNow()).toBeUndefined()
    renameSync(away, dirname(app.project.file))
    await app.readUntil<AgentProject>(
      'it is back',
      '/project',
      ({ state, counts }) => state === 'ready' && counts.agents === 1,
    )
  })

  test('shows the new data when its file is replaced', async () => {
    removeDatabase(app.project)
    makeAgentProject(app.project.folder, {
      journal: 'delete',
      fill: (database) => {
        for (const name of ['a', 'b', 'c']) writeAgent(database, name)
      },
    })
    await app.readUntil<AgentProject>(
      'it is read',
      '/project',
      ({ counts, journal }) => counts.agents === 3 && journal === 'rollback',
    )
    expect(await agentsNow()).toBe(3)
  })

  test('is reported as damaged, and the desk keeps working', async () => {
    removeDatabase(app.project)
    mkdirSync(dirname(app.project.file), { recursive: true })
    writeFileSync(app.project.file, Buffer.alloc(8192, 7))
    const damaged = await app.readUntil<AgentProject>(
      'the damage is noticed',
      '/project',
      ({ state }) => state === 'unreadable',
    )
    expect(damaged.sentence).toContain('data/nexus.db')
    expect(await app.rita.get('/agents/overview')).toMatchObject({
      status: 503,
      body: { code: 'AGENTS_UNAVAILABLE' },
    })
    removeDatabase(app.project)
    makeAgentProject(app.project.folder, { fill: (database) => writeAgent(database, 'first') })
    await app.readUntil<AgentProject>('it is readable', '/project', ({ counts }) => counts.agents === 1)
  })
})

test('while another program has locked the file, the last answer is repeated with its age', async () => {
  removeDatabase(app.project)
  makeAgentProject(app.project.folder, {
    journal: 'delete',
    fill: (database) => writeAgent(database, 'kept'),
  })
  const before = await app.readUntil<AgentOverview>(
    'it is read',
    '/overview',
    ({ agents }) => agents?.total === 1,
  )
  const owner = await startOwner(app.project, 'delete', 'EXCLUSIVE')
  await owner.run("INSERT INTO skills VALUES ('x', '1', NULL, NULL, NULL, '2026-01-01')")
  try {
    const held = await app.readUntil<AgentOverview>(
      'the file is locked',
      '/overview',
      ({ stamp }) => stamp.state === 'busy',
    )
    expect(held.agents).toEqual(before.agents)
    expect(held.stamp.sentence).not.toBeNull()
    expect(await app.rita.get('/agents/trust?tier=never-asked')).toMatchObject({ status: 503 })
    expect((await project()).state).toBe('busy')
  } finally {
    await owner.close()
  }
  await app.readUntil<AgentOverview>(
    'the file is unlocked',
    '/overview',
    ({ stamp }) => stamp.state === 'ready',
  )
})

test('the time of the last check advances even if nothing changes', async () => {
  const { readAt, changedAt } = await project()
  const later = await app.readUntil<AgentProject>(
    'it is checked again',
    '/project',
    (now) => now.readAt !== readAt,
  )
  expect(Date.now() - Date.parse(later.readAt ?? '')).toBeLessThan(10_000)
  expect(later.changedAt).toBe(changedAt)
})

describe('choosing', () => {
  test('another project shows it and lists both as recent', async () => {
    makeAgentProject(other, {
      fill: (database) => {
        for (const name of ['x', 'y']) writeAgent(database, name)
      },
    })
    expect((await choose(other)).body).toMatchObject({ folder: other })
    await app.readUntil<AgentProject>('it is read', '/project', ({ counts }) => counts.agents === 2)
    expect((await project()).remembered).toMatchObject([
      { folder: other, exists: true, chosen: true },
      { folder: app.project.folder, chosen: false },
    ])
    await choose(app.project.folder)
    await app.readUntil<AgentProject>(
      'the first one is back',
      '/project',
      ({ counts }) => counts.agents === 1,
    )
  })

  test('none shows nothing', async () => {
    expect((await choose(null)).body).toMatchObject({ state: 'none', folder: null, name: null })
    expect(await app.read('/list')).toMatchObject({ items: [], stamp: { state: 'none' } })
    await choose(app.project.folder)
  })

  test('a path that is not a folder is rejected', async () => {
    for (const folder of ['relative', join(other, 'none'), join(other, 'data', 'nexus.db')]) {
      expect(await choose(folder), folder).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    }
    expect((await project()).folder).toBe(app.project.folder)
  })

  test('a project can be removed from the recent ones unless it is chosen; its files stay', async () => {
    const forget = (folder: string): Promise<DeskReply<AgentProject>> =>
      app.rita.send('POST', '/agents/project/forget', { folder })
    expect(await forget(app.project.folder)).toMatchObject({ status: 400 })
    expect((await forget(other)).body.remembered.map(({ folder }) => folder)).toEqual([app.project.folder])
    expect(await forget(other)).toMatchObject({ status: 404 })
  })

  test('is not possible if the environment sets the project', async () => {
    const fixed = await startTestRegistry({
      environment: { SKILLDOCK_WORKSPACE: other },
      config: { workspace: other },
    })
    try {
      const rita = await signIn(fixed, 'rita')
      expect((await rita.get('/agents/project')).body).toMatchObject({
        fixedBy: 'SKILLDOCK_WORKSPACE',
        folder: other,
      })
      const refused = await rita.send('PUT', '/agents/project', { folder: app.project.folder })
      expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    } finally {
      await fixed.stop()
    }
  })
})

test('only administrators can see agents', async () => {
  const alice = await signIn(app, 'alice')
  for (const path of ['project', 'overview', 'list', 'audit', 'cost', 'audit.csv']) {
    expect((await alice.open(`/agents/${path}`)).status, path).toBe(403)
    expect((await deskClient(app).open(`/agents/${path}`)).status, path).toBe(401)
  }
})
