import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/server/commands/run-command.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { deskClient } from '../support/desk/desk-client.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

let folder: string
let app: TestServer | null
let written: { stdout: string; stderr: string }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-desk-command-'))
  app = null
  vi.stubEnv('SKILLDOCK_DATA', folder)
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    })
  }
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the command in this process, with the test's data folder. */
async function desk(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  written = { stdout: '', stderr: '' }
  const status = await runCommand(['desk', ...args], {
    appFolder: '',
    startHelper: () => {
      throw new Error('This command starts no process.')
    },
    skillsFolder: '',
    markdownEntry: '',
  })
  return { status, ...written }
}
const start = async (): Promise<TestServer> => (app = await startTestServer({ folder }))

/** The code in a link that is the only output. */
function codeOf(server: TestServer, { status, stdout, stderr }: Awaited<ReturnType<typeof desk>>): string {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(new RegExp(`^${server.dashboard}/desk/#code=[A-Za-z0-9_-]{43}\n$`))
  return stdout.trim().split('#code=')[1] ?? ''
}

describe('skilldock desk', () => {
  test('reports that no server is running, exits with 3, and creates no data folder', async () => {
    await rm(folder, { recursive: true })
    const { status, stdout, stderr } = await desk()
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toBe(`No server is running on the data folder ${folder}. Start one: skilldock serve\n`)
    expect(existsSync(folder)).toBe(false)
  })

  test('reports the same after a server has stopped', async () => {
    await (await start()).stop()
    app = null
    expect(await desk()).toMatchObject({ status: 3, stdout: '' })
  })

  test('prints the first-run link while there is no administrator', async () => {
    const server = await start()
    await server.token({ subject: 'dev' })
    const client = deskClient(server)
    const body = { code: codeOf(server, await desk()), subject: 'anna', name: 'Anna' }
    expect(await client.send('POST', '/first-run', body)).toMatchObject({
      status: 200,
      body: { person: { subject: 'anna', role: 'administrator' } },
    })
  })

  test('prints the link of the only administrator, or of the person named', async () => {
    const server = await start()
    await server.token({ subject: 'dev' })
    await server.token({ subject: 'rita', role: 'administrator' })
    for (const [args, subject] of [
      [[], 'rita'],
      [['--subject', 'rita'], 'rita'],
      [['--subject', 'dev'], 'dev'],
    ] as const) {
      const code = codeOf(server, await desk(...args))
      const reply = await deskClient(server).send('POST', '/session', { code })
      expect(reply).toMatchObject({ status: 200, body: { person: { subject } } })
    }
  })

  test('lists the administrators and fails if there are several', async () => {
    const server = await start()
    for (const subject of ['rita', 'rolf', 'gone']) {
      await server.token({ subject, role: 'administrator' })
    }
    await withPeople((people) => people.removePerson('gone'), folder)
    const { status, stdout, stderr } = await desk()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^There are several administrators/)
    expect(stderr).toContain('skilldock desk --subject rita\n')
    expect(stderr).toContain('skilldock desk --subject rolf\n')
    expect(stderr).not.toContain('gone')
    expect(await desk('--subject', 'rolf')).toMatchObject({ status: 0 })
    expect(await desk('--subject', 'gone')).toMatchObject({ status: 1, stdout: '' })
  })

  test('prints a link to the remote desk, if that is on and has an administrator', async () => {
    const server = await start()
    expect(await desk('--remote')).toMatchObject({ status: 1, stdout: '' })
    expect(written.stderr).toContain('SKILLDOCK_DESK_REMOTE=on')
    const publicUrl = 'https://skills.example'
    await server.server.settings.save({ publicUrl, trustProxy: ['127.0.0.1'], 'desk.remote': 'on' })
    expect(await desk('--remote')).toMatchObject({ status: 1, stdout: '' })
    expect(written.stderr).toContain('There is no administrator yet.')
    await server.token({ subject: 'rita', role: 'administrator' })
    expect((await desk('--remote')).stdout).toMatch(/^https:\/\/skills\.example\/desk\/#code=[\w-]{43}\n$/)
    codeOf(server, await desk())
  })

  test('fails for an unknown person', async () => {
    await start()
    const { status, stdout, stderr } = await desk('--subject', 'nobody')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/There is no person "nobody"/)
  })

  test.each([[['rita']], [['--name', 'x']], [['--subject']]])('rejects %j and exits with 2', async (args) => {
    await start()
    expect(await desk(...args)).toMatchObject({ status: 2, stdout: '' })
  })
})
