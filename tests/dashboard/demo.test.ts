import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAgents } from '../../src/server/agents/demo/roster.ts'
import { demoReleases } from '../../src/server/commands/demo/demo-content.ts'
import { readModule } from '../../src/server/commands/demo/fill-registry.ts'
import { agentProject, makeAgentProject } from '../support/agents/agent-project.ts'
import {
  cleanUp,
  projectRoot,
  serve,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { dashboardPaths, getJson, listFolder } from '../support/agents/dashboard.ts'
import { until } from '../support/wait.ts'

let folder: string
let data: string
beforeAll(async () => {
  folder = join(temporaryFolder(), 'team')
  data = temporaryFolder()
  expect(await skilldock(data, ['demo', '--agents', folder])).toMatchObject({ status: 0, stderr: '' })
})
afterAll(cleanUp)

const startLive = () =>
  start(process.execPath, [join(projectRoot, 'out/main/cli.js'), 'demo', '--agents', folder, '--live'], {
    SKILLDOCK_DATA: data,
  })

describe('a server with the demo project', () => {
  let server: Serving
  beforeAll(async () => {
    server = await serve(data, { SKILLDOCK_WORKSPACE: folder })
  })
  afterAll(() => server?.stop())
  const bodyOf = async (path: string) => (await getJson(`${server.dashboard}${path}`)).body
  const count = async (path: string, key: string): Promise<number> =>
    ((await bodyOf(path))[key] as unknown[]).length

  test('has data on each path, and agents in every state', async () => {
    for (const path of dashboardPaths) expect(Object.values(await bodyOf(path))[0], path).not.toEqual([])
    const agents = (await bodyOf('/api/agents'))['agents'] as { status: string }[]
    const states = Map.groupBy(agents, ({ status }) => status)
    const counts = [...states].map(([state, some]) => [state, some.length])
    expect(Object.fromEntries(counts)).toEqual({ crashed: 1, paused: 4, running: 34, stopped: 3 })
  })

  test('finds one edited and six missing entries', async () => {
    const entries = (await bodyOf('/api/audit'))['entries'] as { id: number; verified: boolean }[]
    expect(entries.filter(({ verified }) => !verified)).toHaveLength(1)
    const gaps = entries.slice(1).map(({ id }, at) => (entries[at]?.id ?? 0) - id - 1)
    expect(gaps.filter((gap) => gap > 0)).toEqual([6])
  })

  test('sees the agents work while the demo runs, and the database closed afterwards', async () => {
    const newest = async (): Promise<number> => {
      const [entry] = (await bodyOf('/api/audit'))['entries'] as { id: number }[]
      return entry?.id ?? 0
    }
    const before = await newest()
    const { child, ended } = startLive()
    await until('new entries have arrived', async () => (await newest()) > before + 3)
    for (const path of dashboardPaths)
      expect((await getJson(`${server.dashboard}${path}`)).status, path).toBe(200)
    child.kill('SIGTERM')
    expect((await ended).status).toBe(0)
    expect(await count('/api/agents', 'agents')).toBe(42)
  })
})

test('the demo agents run modules from the demo registry, one of them revoked, and some unknown ones', async () => {
  const skills = join(projectRoot, 'resources/skills')
  const known = demoAgents.filter(({ release }) => release !== null)
  for (const { name, release } of known) {
    const released = demoReleases.find(
      ({ skill, version }) => skill === release?.skill && version === release.version,
    )
    expect(released, name).toBeDefined()
    const module = await readModule(skills, released?.skill ?? '', released?.version ?? '')
    expect(readFileSync(join(folder, 'modules', `${name}.wasm`)).equals(module), name).toBe(true)
    const last = released?.decisions.at(-1)?.action
    expect([name, last]).toEqual([name, name === 'mail-sorter' ? 'revoked' : 'approved'])
  }
  expect(known.length).toBeLessThan(demoAgents.length)
  expect(readdirSync(join(folder, 'modules'))).toHaveLength(demoAgents.length)
})

test('a path that is a file is rejected with what to do, and the file is kept', async () => {
  const file = join(temporaryFolder(), 'notes.txt')
  writeFileSync(file, 'mine')
  const refused = await skilldock(data, ['demo', '--agents', file])
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain(`Could not create an agent project in ${file}: `)
  expect(refused.stderr).toContain('Choose another folder.')
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

describe('an existing project', () => {
  test('is not changed without --live', async () => {
    const before = listFolder(agentProject(folder))
    expect(await skilldock(data, ['demo', '--agents', folder])).toMatchObject({ status: 1, stdout: '' })
    expect(listFolder(agentProject(folder))).toEqual(before)
  })

  test('is not changed by --live if the demo did not create it', async () => {
    const own = temporaryFolder()
    makeAgentProject(own)
    const before = listFolder(agentProject(own))
    const refused = await skilldock(data, ['demo', '--agents', own, '--live'])
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain('that skilldock demo did not create')
    expect(listFolder(agentProject(own))).toEqual(before)
  })

  test('is not changed if it is not a database', async () => {
    const own = temporaryFolder()
    mkdirSync(join(own, 'data'))
    writeFileSync(join(own, 'data', 'nexus.db'), 'mine')
    expect((await skilldock(data, ['demo', '--agents', own])).status).toBe(1)
    expect(readFileSync(join(own, 'data', 'nexus.db'), 'utf8')).toBe('mine')
  })
})

test('--agents needs a folder, and --live needs --agents', async () => {
  for (const args of [['--agents'], ['--agents', ''], ['--live']]) {
    expect((await skilldock(data, ['demo', ...args])).status, args.join(' ')).toBe(2)
  }
})
