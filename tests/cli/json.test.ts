import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commands } from '../../src/server/commands/run-command.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, serve, temporaryFolder } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { until } from '../support/wait.ts'

afterAll(cleanUp)

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
/** Needs a bucket: see tests/operations/replication.test.ts. */
const elsewhere = 'promote'
const factual = commands
  .filter(({ name, printsFacts }) => printsFacts && name !== elsewhere)
  .map(({ name }) => name)

/** What a command is called with, after preparing a copy of the demo folder, and what its document contains. */
interface Example {
  args: string[]
  prepare?(folder: string): Promise<unknown>
  isEmpty?: true
  data: unknown
}

const backupOf = async (folder: string, file: string): Promise<void> => {
  expect((await skilldockHere(folder, ['backup', file])).status).toBe(0)
}

const file = join(temporaryFolder(), 'new.tar')
const former = join(temporaryFolder(), 'former.tar')

/** Free ports, whatever runs on this computer. */
const anyPorts = { SKILLDOCK_PORT: '0', SKILLDOCK_DASHBOARD_PORT: '0' }

/** At least one example of every command that prints facts. */
const examples: Record<string, Example[]> = {
  token: [
    {
      args: ['--subject', 'robin', '--scope', 'publish'],
      data: {
        subject: 'robin',
        scope: 'publish',
        token: expect.stringMatching(/^eyJ/),
        jti: expect.any(String),
        expiresAt: expect.stringMatching(/Z$/),
      },
    },
  ],
  people: [
    { args: ['list'], data: expect.arrayContaining([expect.objectContaining({ role: 'administrator' })]) },
    {
      args: ['add', 'robin', '--role', 'editor'],
      data: expect.objectContaining({ subject: 'robin', role: 'editor' }),
    },
    {
      args: ['role', 'robin', 'reviewer'],
      prepare: (folder) => skilldockHere(folder, ['people', 'add', 'robin']),
      data: expect.objectContaining({ subject: 'robin', role: 'reviewer' }),
    },
    {
      args: ['remove', 'robin'],
      prepare: (folder) => skilldockHere(folder, ['people', 'add', 'robin']),
      data: { removed: 'robin' },
    },
    {
      args: ['tokens', 'robin'],
      prepare: (folder) => skilldockHere(folder, ['token', '--subject', 'robin', '--label', 'laptop']),
      data: [expect.objectContaining({ label: 'laptop', revokedAt: null })],
    },
  ],
  desk: [],
  demo: [
    {
      args: [],
      isEmpty: true,
      data: expect.objectContaining({ skills: 12, statuses: expect.objectContaining({ approved: 21 }) }),
    },
    {
      args: ['--agents', join(temporaryFolder(), 'team')],
      data: expect.objectContaining({ agents: 42, isNew: true }),
    },
  ],
  backup: [
    {
      args: [file],
      data: { file, bytes: expect.any(Number), counts: expect.objectContaining({ people: 3 }) },
    },
  ],
  restore: [
    {
      args: [former],
      prepare: async () => backupOf(await copyOfDemo(), former),
      isEmpty: true,
      data: expect.objectContaining({ counts: expect.objectContaining({ people: 3 }) }),
    },
  ],
  verify: [
    {
      args: [],
      data: expect.objectContaining({ ok: true, problems: [], unused: [], next: [] }),
    },
  ],
  // In tests/operations/mirror.test.ts.
  mirror: [],
  rebuild: [],
  // It needs an object store: tests/operations/bucket.test.ts.
  storage: [],
  doctor: [{ args: [], data: expect.objectContaining({ ok: true, findings: expect.any(Array) }) }],
}

test('every command that prints facts has an example here', () => {
  expect(factual).toEqual(expect.arrayContaining(['backup', 'verify', 'token', 'demo', 'people']))
  expect(Object.keys(examples).toSorted()).toEqual(factual.toSorted())
})

test.each(Object.entries(examples).flatMap(([name, all]) => all.map((example) => ({ name, ...example }))))(
  '$name $args --json prints its facts as one document and nothing else',
  async ({ name, args, prepare, isEmpty, data }) => {
    const folder = isEmpty ? join(temporaryFolder(), 'data') : await copyOfDemo()
    await prepare?.(folder)
    const { status, stdout, stderr } = await skilldockHere(folder, [name, ...args, '--json'], anyPorts)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(data)
  },
)

test.each(factual)(
  '%s with --json prints an error as one document, with the same exit code',
  async (name) => {
    const folder = temporaryFolder()
    const text = await skilldockHere(folder, [name, '--nothing'])
    const { status, stdout, stderr } = await skilldockHere(folder, [name, '--nothing', '--json'])
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ error: { message: "Unknown option '--nothing'.", exitCode: 2 } })
    expect(text).toMatchObject({ status, stdout: '' })
  },
)

test('desk --json prints the link, and without a server exits with 3 and the reason', async () => {
  const folder = await copyOfDemo()
  const without = await skilldockHere(folder, ['desk', '--json'])
  expect(without).toMatchObject({ status: 3, stderr: '' })
  expect(JSON.parse(without.stdout)).toEqual({
    error: { message: expect.stringContaining('No server is running'), exitCode: 3 },
  })
  const server = await serve(folder)
  const { status, stdout } = await skilldockHere(folder, ['desk', '--json'])
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ url: expect.stringContaining(`${server.dashboard}/desk/`) })
  await server.stop()
})

test('people revoke --json prints the id of the token', async () => {
  const folder = await copyOfDemo()
  const { jti } = JSON.parse(
    (await skilldockHere(folder, ['token', '--subject', 'robin', '--json'])).stdout,
  ) as { jti: string }
  const { stdout } = await skilldockHere(folder, ['people', 'revoke', jti, '--json'])
  expect(JSON.parse(stdout)).toEqual({ revoked: jti })
})

test('verify --json lists each problem, and with FILE those of a backup', async () => {
  const folder = await copyOfDemo()
  const backup = join(temporaryFolder(), 'damaged.tar')
  await backupOf(folder, backup)
  writeFileSync(join(folder, 'signing-key.json'), '{')
  const found = await skilldockHere(folder, ['verify', '--json'])
  expect(found.status).toBe(1)
  expect(JSON.parse(found.stdout)).toMatchObject({
    folder,
    ok: false,
    problems: [{ problem: expect.stringContaining('signing-key.json'), isRepairable: false }],
    next: [expect.stringContaining('skilldock restore FILE')],
  })
  writeFileSync(backup, readFileSync(backup).subarray(0, -70_000))
  const cut = await skilldockHere(folder, ['verify', backup, '--json'])
  expect(cut.status).toBe(1)
  expect(JSON.parse(cut.stdout)).toMatchObject({ file: backup, ok: false, counts: null })
})

test('rebuild --json counts the releases in each status', async () => {
  const folder = await copyOfDemo()
  // A server writes the records from which the database is created again.
  const server = await serve(folder)
  await until(
    'every release has a record',
    () => readdirSync(dataPaths(folder).records).filter((name) => /^\d+\.note$/.test(name)).length === 33,
  )
  await server.stop()
  writeFileSync(join(folder, 'skilldock.db'), Buffer.alloc(100_000, 7))
  const { status, stdout, stderr } = await skilldockHere(folder, ['rebuild', '--json'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { aside, statuses } = JSON.parse(stdout) as { aside: string; statuses: Record<string, number> }
  expect(existsSync(aside)).toBe(true)
  expect(statuses).toMatchObject({ approved: 21, pending: 5 })
})

test.each(commands.filter(({ printsFacts }) => printsFacts === undefined).map(({ name }) => name))(
  '%s prints no facts, so it has no --json',
  async (name) => {
    const { status, stdout } = await skilldockHere(temporaryFolder(), [name, '--json'])
    expect(status).toBe(2)
    expect(JSON.parse(stdout)).toEqual({ error: { message: "Unknown option '--json'.", exitCode: 2 } })
  },
)

test.each(commands.map(({ name }) => name))('%s --version prints the version', async (name) => {
  const folder = temporaryFolder()
  expect(await skilldockHere(folder, [name, '--version'])).toMatchObject({
    status: 0,
    stdout: `${version}\n`,
  })
  const { stdout } = await skilldockHere(folder, [name, '--version', '--json'])
  expect(JSON.parse(stdout)).toEqual({ version })
})

test('--version --json prints a document', async () => {
  const { stdout } = await skilldockHere(temporaryFolder(), ['--version', '--json'])
  expect(JSON.parse(stdout)).toEqual({ version })
})
