import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Server as NetServer } from 'node:net'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordSettings } from '../../src/server/domains/log/record-settings.service.ts'
import { createLiveSettings } from '../../src/server/settings/live-settings.ts'
import { settingKeys } from '../../src/shared/settings.ts'
import type { DeskSetting, DeskSettings, SettingChanges } from '../../src/shared/contracts/desk-settings.ts'
import type { DeskServices } from '../../src/shared/contracts/desk-services.ts'
import { signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient, DeskReply } from '../support/desk/desk-client.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { selfSigned } from '../support/server/self-signed.ts'
import type { TestServerOptions } from '../support/server/server.ts'

type Refused = { code?: string; error?: string; issues?: { path: string; message: string }[] }

let app: TestRegistry
let rita: DeskClient
const holders: NetServer[] = []

const start = async (options: TestServerOptions = {}): Promise<void> => {
  app = await startTestRegistry({ ...options, config: { publishConcurrency: 8, ...options?.config } })
  rita = await signIn(app, 'rita')
}
beforeEach(() => start())
afterEach(async () => {
  for (const holder of holders.splice(0)) holder.close()
  await app.stop()
})

const save = (changes: Record<string, unknown>): Promise<DeskReply<DeskSettings & Refused>> =>
  rita.send('PUT', '/settings', { changes })
const check = async (changes: Record<string, unknown>): Promise<{ path: string; message: string }[]> =>
  (await rita.send<{ issues: { path: string; message: string }[] }>('POST', '/settings/check', { changes }))
    .body.issues
const file = (): string => join(app.folder, 'settings.json')
const onDisk = async (): Promise<unknown> => JSON.parse(await readFile(file(), 'utf8'))
const isWritten = (): Promise<boolean> =>
  stat(file()).then(
    () => true,
    () => false,
  )
const setting = (settings: DeskSettings, key: string): DeskSetting | undefined =>
  settings.items.find((item) => item.key === key)
const isAnswering = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
const occupy = async (): Promise<number> => {
  const port = await findFreePort()
  const holder = createServer()
  holders.push(holder)
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve))
  return port
}
const anotherServer = async (settings: unknown, options: TestServerOptions = {}): Promise<void> => {
  const { folder } = app
  await app.stop()
  await mkdir(folder, { recursive: true })
  await writeFile(file(), JSON.stringify(settings))
  await start({ folder, ...options })
}

test('every setting is listed with its value, default and source', async () => {
  const { body } = await rita.get<DeskSettings>('/settings')
  expect(body.file).toBe(file())
  expect(body.items.map(({ key }) => key)).toEqual([...settingKeys])
  expect(setting(body, 'publishConcurrency')).toEqual({
    key: 'publishConcurrency',
    value: 8,
    default: 8,
    source: 'default',
    variable: 'SKILLDOCK_PUBLISH_CONCURRENCY',
    takesEffect: 'at once',
  })
  expect(setting(body, 'undoMs')).toMatchObject({ variable: null, value: 10_000 })
  const effects = Object.fromEntries(body.items.map(({ key, takesEffect }) => [key, takesEffect]))
  expect(effects).toMatchObject({
    host: 'listener',
    port: 'listener',
    tlsCert: 'listener',
    tlsKey: 'listener',
  })
  expect(Object.entries(effects).filter(([, effect]) => effect === 'restart')).toEqual([
    ['dashboardPort', 'restart'],
  ])
})

test('a saved quota applies to the next submission, and null resets it to the default', async () => {
  await app.submit({ name: 'first' })
  const saved = await save({ dailySubmissions: 1 })
  expect(saved.status).toBe(200)
  expect(setting(saved.body, 'dailySubmissions')).toMatchObject({ value: 1, source: 'file' })
  expect(await onDisk()).toEqual({ dailySubmissions: 1 })
  const refused = await publish(app.registry, app.developer, manifest({ name: 'second' }), app.wasm)
  expect(refused.body).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  const back = await save({ dailySubmissions: null })
  expect(setting(back.body, 'dailySubmissions')).toMatchObject({ value: 10, source: 'default' })
  expect(await onDisk()).toEqual({})
  await app.submit({ name: 'second' })
})

test('the public URL, the undo window and the trusted proxies take effect immediately', async () => {
  await save({ publicUrl: 'https://skills.example/', undoMs: 0, trustProxy: ['127.0.0.1'] })
  const services = await rita.get<DeskServices>('/services')
  expect(services.body.publicUrl).toBe('https://skills.example')
  const id = await app.submit()
  const decided = await rita.send<{ held: unknown }>('POST', `/releases/${id}/decision`, {
    action: 'rejected',
    reason: 'I read all of it.',
  })
  expect(decided.body.held).toBeNull()
  await fetch(`${app.registry}/nothing-here`, { headers: { 'X-Forwarded-For': '203.0.113.9' } })
  expect(app.logs.join('')).toContain('203.0.113.9')
})

test('settings and a move to another port are in effect although the ready file cannot be written', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
  await app.stop()
  await start({ config: { readyFile: join(outside, 'ready.json') } })
  app.server.announce()
  await rm(outside, { recursive: true })
  const saved = await save({ dailySubmissions: 1 })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  expect(setting(saved.body, 'dailySubmissions')).toMatchObject({ value: 1, source: 'file' })
  const port = await findFreePort()
  expect((await save({ port })).status).toBe(200)
  expect(await isAnswering(`http://127.0.0.1:${port}`)).toBe(true)
  expect(app.logs.join('')).toContain('could not write the addresses of the services')
})

test('the limit of concurrent downloads takes effect immediately', async () => {
  await app.release({}, 'approved')
  await save({ downloadConcurrency: 1 })
  const url = `${app.api}/skills/${manifest().name}/${manifest().version}/package`
  expect((await fetch(url)).status).toBe(200)
  expect(setting((await rita.get<DeskSettings>('/settings')).body, 'downloadConcurrency')?.value).toBe(1)
})

test('providers and other contents of the file are kept', async () => {
  const issuers = [
    {
      name: 'corp',
      issuer: 'https://id.example',
      audience: 'skilldock',
      jwksUrl: 'https://id.example/keys',
    },
  ]
  await anotherServer({ issuers, undoMs: 500 })
  expect((await save({ dailySubmissions: 4 })).status).toBe(200)
  expect(await onDisk()).toEqual({ issuers, undoMs: 500, dailySubmissions: 4 })
  expect((await stat(file())).mode & 0o777).toBe(0o600)
})

test('a value from the environment cannot be changed, and the error names the variable', async () => {
  await anotherServer({ dailySubmissions: 7 }, { environment: { SKILLDOCK_DAILY_SUBMISSIONS: '3' } })
  const { body } = await rita.get<DeskSettings>('/settings')
  expect(setting(body, 'dailySubmissions')).toMatchObject({ source: 'environment' })
  const refused = await save({ dailySubmissions: 5 })
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect(refused.body.error).toContain('SKILLDOCK_DAILY_SUBMISSIONS')
  expect(refused.body.issues?.map(({ path }) => path)).toEqual(['dailySubmissions'])
  expect(await onDisk()).toEqual({ dailySubmissions: 7 })
})

test.each<[string, Record<string, unknown>, string, string]>([
  ['a port above the maximum', { port: 65_536 }, 'port', 'must be at most 65535'],
  ['text instead of a number', { dailySubmissions: '5' }, 'dailySubmissions', 'must be a number'],
  ['an invalid URL', { publicUrl: 'skills' }, 'publicUrl', 'must be a URL'],
  ['an invalid network', { trustProxy: ['proxy'] }, 'trustProxy.0', 'must be an IP address'],
  ['half a certificate', { tlsCert: '/a.pem' }, 'tlsKey', 'belong together'],
  ['a missing certificate file', { tlsCert: '/no/a', tlsKey: '/no/b' }, 'tlsCert', 'does not exist'],
  ['others without encryption', { host: '0.0.0.0', publicUrl: 'http://a.example' }, 'host', 'unencrypted'],
  [
    'others without a public URL',
    { host: '0.0.0.0', trustProxy: ['10.0.0.1'] },
    'publicUrl',
    'need an address',
  ],
  [
    'a public URL without HTTPS, but with a certificate',
    { tlsCert: '/a.pem', tlsKey: '/a.pem', publicUrl: 'http://a.example' },
    'publicUrl',
    'must start with https://',
  ],
  ['the same port twice', { port: 4200, dashboardPort: 4200 }, 'port', 'the port of the local services'],
])('%s is reported, and nothing is written', async (_what, changes, path, message) => {
  const issues = await check(changes)
  expect(issues.map((issue) => issue.path)).toContain(path)
  expect(issues.find((issue) => issue.path === path)?.message).toContain(message)
  const refused = await save({ ...changes, workspace: '/w' })
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', issues } })
  expect(await isWritten()).toBe(false)
  expect(await isAnswering(app.registry)).toBe(true)
})

test('an agent project is a readable folder, or one that does not exist yet', async () => {
  const problem = async (workspace: string): Promise<string | undefined> =>
    (await check({ workspace })).find(({ path }) => path === 'workspace')?.message
  expect(await problem('team')).toBe('must be an absolute path')
  expect(await problem(import.meta.filename)).toBe('is not a folder')
  expect(await problem(import.meta.dirname)).toBeUndefined()
  expect(await problem(`${import.meta.dirname}/later`)).toBeUndefined()
})

test('checking valid settings reports and changes nothing', async () => {
  expect(await check({ dailySubmissions: 3, workspace: '/w' })).toEqual([])
  expect(await isWritten()).toBe(false)
  expect((await save({ color: 'red' })).status).toBe(400)
})

test('after a change of port the registry responds only there, and other programs find it', async () => {
  const port = await findFreePort()
  const saved = await save({ port })
  expect(setting(saved.body, 'port')).toMatchObject({ value: port, source: 'file' })
  const moved = `http://127.0.0.1:${port}`
  expect(await isAnswering(moved)).toBe(true)
  expect(await isAnswering(app.registry)).toBe(false)
  expect(JSON.parse(await readFile(join(app.folder, 'running.json'), 'utf8'))).toMatchObject({
    registry: moved,
  })
  // The port is the same, and only the address changes.
  expect((await save({ host: '127.0.0.2' })).status).toBe(200)
  expect(await isAnswering(`http://127.0.0.2:${port}`)).toBe(true)
  expect(await isAnswering(moved)).toBe(false)
})

test('for a port in use the old one stays, the error names the program, and nothing is written', async () => {
  const port = await occupy()
  const refused = await save({ port, dailySubmissions: 2 })
  expect(refused).toMatchObject({ status: 409, body: { code: 'PORT_TAKEN' } })
  expect(refused.body.error).toContain(`127.0.0.1:${port}`)
  if (process.platform === 'linux') expect(refused.body.error).toContain(`(process ${process.pid})`)
  expect(await isWritten()).toBe(false)
  expect(await isAnswering(app.registry)).toBe(true)
})

test('for an address that this computer does not have the old one is opened again', async () => {
  const refused = await save({ host: '192.0.2.1', publicUrl: 'http://a.example', trustProxy: ['10.0.0.1'] })
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect(refused.body.issues).toEqual([{ path: 'host', message: 'is not an address of this computer' }])
  expect(await isAnswering(app.registry)).toBe(true)
  expect(await isWritten()).toBe(false)
})

test('a file that cannot be written changes nothing', async () => {
  // The temporary file's name is taken by a folder.
  await mkdir(`${file()}.new`)
  const port = await findFreePort()
  const refused = await save({ port, dailySubmissions: 1 })
  expect(refused).toMatchObject({ status: 503, body: { code: 'STORAGE_UNAVAILABLE' } })
  expect(refused.body.error).toContain('settings.json')
  expect(await isAnswering(app.registry)).toBe(true)
  expect(await isAnswering(`http://127.0.0.1:${port}`)).toBe(false)
  await rm(`${file()}.new`, { recursive: true })
})

test.each([
  ['that exists', '{ "dailySubmissions": 3 }'],
  ['that does not exist yet', null],
])('a change that cannot be committed to the log leaves the file %s as it was', async (_what, before) => {
  if (before !== null) await writeFile(file(), before)
  await withDatabase(app, async (database) => {
    const live = createLiveSettings({
      config: app.config,
      environment: {},
      assertWritable() {},
      record: (changes, write) =>
        recordSettings(database, changes, () => {
          write()
          // SQLite finds out when it commits.
          database.writer.pragma('defer_foreign_keys = ON')
          database.writer.prepare("INSERT INTO release_bodies (release_id, body) VALUES (999, x'00')").run()
        }),
      moveRegistry: async () => {},
    })
    await expect(live.save({ dailySubmissions: 7 })).rejects.toThrow('FOREIGN KEY')
    expect(live.config.dailySubmissions).toBe(app.config.dailySubmissions)
  })
  expect(await isWritten()).toBe(before !== null)
  if (before !== null) expect(await readFile(file(), 'utf8')).toBe(before)
})

test('a certificate takes effect immediately, and so does its removal', async () => {
  const { cert, key } = selfSigned('settings')
  const changes: SettingChanges = { tlsCert: join(app.folder, 'c.pem'), tlsKey: join(app.folder, 'k.pem') }
  await writeFile(String(changes.tlsCert), cert)
  await writeFile(String(changes.tlsKey), key)
  expect((await save(changes)).status).toBe(200)
  const { port } = new URL(app.registry)
  const status = await new Promise((resolve, reject) => {
    get(`https://127.0.0.1:${port}/api/health`, { ca: cert }, (res) => resolve(res.statusCode)).on(
      'error',
      reject,
    )
  })
  expect(status).toBe(200)
  expect((await save({ tlsCert: null, tlsKey: null })).status).toBe(200)
  expect(await isAnswering(app.registry)).toBe(true)
})

test("the desk's own port takes effect after a restart, and is shown as pending until it is reset", async () => {
  const saved = await save({ dashboardPort: 4999 })
  expect(setting(saved.body, 'dashboardPort')).toMatchObject({ value: 0, waiting: 4999, source: 'file' })
  const back = await save({ dashboardPort: null })
  expect(setting(back.body, 'dashboardPort')).not.toHaveProperty('waiting')
})

test('a manual edit of the file takes effect after a restart', async () => {
  await writeFile(file(), JSON.stringify({ publishConcurrency: 3 }))
  const { body } = await rita.get<DeskSettings>('/settings')
  expect(setting(body, 'publishConcurrency')).toMatchObject({ value: 8, waiting: 3 })
  await writeFile(file(), '{')
  const broken = await save({ dailySubmissions: 1 })
  expect(broken).toMatchObject({ status: 503, body: { code: 'STORAGE_UNAVAILABLE' } })
})

test('settings, log and services require an administrator and the origin of the desk', async () => {
  const alice = await signIn(app, 'alice')
  const replies = [
    await alice.get('/settings'),
    await alice.send('PUT', '/settings', { changes: {} }),
    await alice.get('/ports/4200'),
    await alice.get('/log'),
    await alice.get('/diagnostics'),
    await alice.send('POST', '/services/registry/stop'),
  ]
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  const foreign = await call(`${app.dashboard}/desk/api/settings`, { method: 'PUT', body: { changes: {} } })
  expect(foreign.body).toMatchObject({ code: 'ORIGIN_FORBIDDEN' })
})
