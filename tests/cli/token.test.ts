import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import {
  cleanUp,
  commandToken,
  projectRoot,
  serve,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { call } from '../support/server/publish.ts'
import { readKey } from '../support/server/tokens.ts'

const oneToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/

afterAll(cleanUp)

describe('prints one token and nothing else', () => {
  test('before the first start, with a folder that does not exist yet', async () => {
    const data = join(temporaryFolder(), 'not', 'there', 'yet')
    const made = await skilldock(data, ['token', '--subject', 'alice', '--name', 'Alice'])
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(oneToken), stderr: '' })
    expect(decodeJwt(made.stdout.trim())).toMatchObject({ iss: 'skilldock', aud: 'skilldock', sub: 'alice' })
    expect(existsSync(join(data, 'skilldock.db'))).toBe(true)
    if (process.platform !== 'win32') {
      expect(statSync(join(data, 'signing-key.json')).mode & 0o777).toBe(0o600)
      expect(statSync(data).mode & 0o777).toBe(0o700)
    }
    // A server that starts later accepts it.
    const server = await serve(data)
    const mine = await call(`${server.registry}/api/marketplace/mine`, { token: made.stdout.trim() })
    expect(mine).toMatchObject({ status: 200, body: { items: [] } })
    await server.stop()
  })

  test('while a server runs, which accepts it immediately', async () => {
    const data = temporaryFolder()
    const server = await serve(data)
    const token = await commandToken(data, '--subject', 'rita', '--role', 'admin')
    expect((await call(`${server.registry}/api/marketplace/review`, { token })).status).toBe(200)
    await server.stop()
  })

  test('through npm', async () => {
    const run = await start('npm', ['run', '-s', 'skilldock', '--', 'token', '--subject', 'al ice'], {
      SKILLDOCK_DATA: temporaryFolder(),
    }).ended
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).toContain('--subject must be 1 to 200 visible ASCII characters without spaces')

    const good = await start(
      'npm',
      ['run', '-s', 'skilldock', '--', 'token', '--subject', 'alice', '--name', 'Alice B. "the" $HOME'],
      { SKILLDOCK_DATA: temporaryFolder() },
    ).ended
    expect(good).toMatchObject({ status: 0, stdout: expect.stringMatching(oneToken) })
  })

  test('from any folder, through the script that npm links to', async () => {
    const run = await start(
      process.execPath,
      [join(projectRoot, 'scripts/skilldock.mjs'), 'token', '--subject', 'alice'],
      { SKILLDOCK_DATA: temporaryFolder() },
      { cwd: temporaryFolder() },
    ).ended
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(oneToken), stderr: '' })
  })

  test('six times at once while a server starts on the same empty folder: one key, one database', async () => {
    const data = join(temporaryFolder(), 'data')
    const starting: Promise<Serving> = serve(data)
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, at) => skilldock(data, ['token', '--subject', `person-${at}`])),
    )
    const server = await starting
    for (const run of runs) {
      expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(oneToken), stderr: '' })
      const token = run.stdout.trim()
      expect((await call(`${server.registry}/api/marketplace/mine`, { token })).status).toBe(200)
    }
    const { keys } = (await call<{ keys: { x: string }[] }>(`${server.registry}/api/skilldock/jwks.json`))
      .body
    expect(keys).toHaveLength(2)
    expect(keys[0]?.x).toBe((await readKey(data)).x)
    expect(JSON.parse((await skilldockHere(data, ['people', 'list', '--json'])).stdout)).toHaveLength(6)
    expect((await server.stop()).status).toBe(0)
  })
})

describe('options', () => {
  let data: string
  beforeAll(async () => {
    data = temporaryFolder()
    await tokenHere(data, '--subject', 'root', '--role', 'admin')
  })

  const people = async (): Promise<{ subject: string; name: string | null; role: string }[]> =>
    JSON.parse((await skilldockHere(data, ['people', 'list', '--json'])).stdout) as never
  const person = async (subject: string) => (await people()).find((row) => row.subject === subject)

  test.each([
    [['--subject', 'x', '--ttl', '1w'], /--ttl "1w"/],
    [['--subject', 'x', '--scope', 'all'], /Invalid scope "all"/],
    [['--subject', 'x', '--role', 'administrator'], /Invalid role "administrator"/],
    [['--subject', 'x', '--label', 'a\nb'], /--label must not contain control characters/],
  ])('%j is refused with status 2, and the message names the invalid option', async (args, message) => {
    const run = await skilldockHere(data, ['token', ...args])
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).toMatch(message)
  })

  test('a refused command creates no person', async () => {
    expect(await people()).toEqual([expect.objectContaining({ subject: 'root' })])
  })

  test.each([
    ['90s', 90],
    ['15m', 900],
    ['1h', 3600],
    ['30d', 2_592_000],
    ['3650d', 315_360_000],
  ])('--ttl %s', async (ttl, seconds) => {
    const { exp = 0, iat = 0 } = decodeJwt(await tokenHere(data, '--subject', 'tim', '--ttl', ttl))
    expect(exp - iat).toBe(seconds)
  })

  test('--label and --scope are in the list of tokens', async () => {
    const jti = decodeJwt(
      await tokenHere(data, '--subject', 'lea', '--label', 'my laptop', '--scope', 'publish'),
    ).jti
    const { stdout } = await skilldockHere(data, ['people', 'tokens', 'lea', '--json'])
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ jti, label: 'my laptop', scope: 'publish' }),
    ])
  })

  test('a new person is a developer without a name by default', async () => {
    await tokenHere(data, '--subject', 'new')
    expect(await person('new')).toMatchObject({ name: null, role: 'developer' })
  })

  test('an existing person is changed only by --name and --role', async () => {
    await tokenHere(data, '--subject', 'eva', '--name', 'Eva', '--role', 'admin')
    const before = await person('eva')
    await tokenHere(data, '--subject', 'eva')
    expect(await person('eva')).toEqual(before)
    await tokenHere(data, '--subject', 'eva', '--name', 'Eva M.')
    expect(await person('eva')).toEqual({ ...before, name: 'Eva M.' })
    await tokenHere(data, '--subject', 'eva', '--role', 'developer')
    expect(await person('eva')).toEqual({ ...before, name: 'Eva M.', role: 'developer' })
  })

  test('the role of the last administrator cannot be changed', async () => {
    const run = await skilldockHere(data, ['token', '--subject', 'root', '--role', 'developer'])
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toBe('root is the only administrator. Make someone else an administrator first.\n')
    expect(await person('root')).toMatchObject({ role: 'administrator' })
  })
})

test.each([
  ['a file in place of the folder', (folder: string) => join(folder, 'file')],
  ['a file in place of a parent folder', (folder: string) => join(folder, 'file', 'data')],
])('the message names a data folder that cannot be created: %s', async (_name, pathIn) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  const run = await skilldockHere(pathIn(folder), ['token', '--subject', 'alice'])
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toMatch(
    /^The data folder .+ cannot be created \(\w+\)\. Set SKILLDOCK_DATA to another folder\.$/m,
  )
  expect(run.stderr).toContain(pathIn(folder))
})

// In a process of its own, because the code that this protects against never returned.
test.runIf(process.platform === 'linux')(
  'a data folder below one in which none can be created is rejected',
  async () => {
    const run = await skilldock('/proc/skilldock/data', ['token', '--subject', 'alice'])
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).toContain('/proc/skilldock/data')
  },
)
