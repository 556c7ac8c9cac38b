import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoIn } from '../../src/server/commands/demo/demo-in.ts'
import { settingKeys } from '../../src/shared/settings.ts'
import type { PortState } from '../../src/shared/contracts/desk-settings.ts'
import type { DeskState, FolderState } from '../../src/shared/contracts/desk-session.ts'
import { deskClient, signInCode } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

const skillsFolder = join(import.meta.dirname, '../../resources/skills')

interface Reply {
  code?: string
  error?: string
  person?: { subject: string; role: string }
  issues?: { path: string; message: string }[]
}

let app: TestServer
let client: DeskClient
let code: string
beforeEach(async () => {
  app = await startTestServer({ environment: {} })
  client = deskClient(app)
  code = await signInCode(app, null)
})
afterEach(() => app.stop())

const begin = (settings?: unknown, with_ = code) =>
  client.send<Reply>('POST', '/first-run', {
    code: with_,
    subject: 'rita',
    name: 'Rita',
    ...(settings === undefined ? {} : { settings }),
  })
const state = async (): Promise<DeskState> => (await client.get<DeskState>('/state')).body
const onDisk = (): Promise<unknown> =>
  readFile(join(app.folder, 'settings.json'), 'utf8').then(
    (text): unknown => JSON.parse(text),
    () => null,
  )

test('the page gets its defaults, but not once there is an administrator', async () => {
  const { firstRun } = await state()
  expect(firstRun).toMatchObject({
    dataFolder: app.folder,
    mayChooseDataFolder: true,
    hostName: hostname(),
  })
  expect(firstRun?.settings.map(({ key }) => key)).toEqual([...settingKeys])
  expect((await begin()).status).toBe(200)
  expect(await state()).toMatchObject({ firstRun: null })
})

test('settings are saved and in effect before the response', async () => {
  const port = await findFreePort()
  const reply = await begin({ port, workspace: '/my/project', publicUrl: 'https://skills.example' })
  expect(reply).toMatchObject({ status: 200, body: { person: { subject: 'rita', role: 'administrator' } } })
  expect(await onDisk()).toEqual({ port, workspace: '/my/project', publicUrl: 'https://skills.example' })
  expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
  expect((await client.get<{ publicUrl: string }>('/services')).body.publicUrl).toBe('https://skills.example')
})

test('invalid settings are reported by field, and the code and the page stay valid', async () => {
  const refused = await begin({ host: '0.0.0.0', dailySubmissions: 0 })
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect(refused.body.issues?.map(({ path }) => path)).toEqual(['settings.dailySubmissions'])
  const unprotected = await begin({ host: '0.0.0.0' })
  expect(unprotected.body.issues?.map(({ path }) => path)).toEqual(['settings.host', 'settings.publicUrl'])
  expect(await state()).toMatchObject({ firstRun: expect.any(Object) })
  expect(await onDisk()).toBeNull()
  expect((await begin()).status).toBe(200)
})

test('a port in use is reported by the check and by the attempt, and the code stays valid', async () => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const { port } = holder.address() as AddressInfo
  const checked = await client.send<{ issues: unknown[]; port: PortState }>('POST', '/first-run/check', {
    code,
    settings: { port },
  })
  expect(checked.body).toMatchObject({ issues: [], port: { port, state: 'taken' } })
  expect(checked.body.port.suggestion).not.toBeNull()
  expect(await begin({ port })).toMatchObject({ status: 409, body: { code: 'PORT_TAKEN' } })
  holder.close()
  expect(await state()).toMatchObject({ firstRun: expect.any(Object) })
  expect((await begin({ port: checked.body.port.suggestion })).status).toBe(200)
})

test('a check reports problems and changes nothing', async () => {
  const checked = await client.send<Reply>('POST', '/first-run/check', { code, settings: { tlsCert: '/c' } })
  expect(checked.body.issues?.map(({ path }) => path)).toEqual(['tlsKey'])
  expect(await onDisk()).toBeNull()
})

test('nothing is saved or revealed without the first-run code', async () => {
  const other = 'x'.repeat(43)
  const settings = { dailySubmissions: 5 }
  expect(await begin(settings, other)).toMatchObject({ status: 401, body: { code: 'CODE_INVALID' } })
  expect((await client.send('POST', '/first-run/check', { code: other, settings })).status).toBe(401)
  expect(await onDisk()).toBeNull()
  expect((await begin()).status).toBe(200)
  // A code for a person, and a used one.
  expect((await begin(settings)).status).toBe(401)
  expect((await begin(settings, await signInCode(app, 'rita'))).status).toBe(401)
  expect(await onDisk()).toBeNull()
})

test('a folder is inspected before it is chosen, and only with the code', async () => {
  const look = (path: string, with_ = code) =>
    client.send<FolderState>('POST', '/first-run/folder', { code: with_, path })
  expect((await look(app.folder)).body).toMatchObject({ path: app.folder, state: 'own', found: [] })
  expect((await look(join(app.folder, 'packages'))).body.state).toBe('empty')
  expect((await look(join(app.folder, 'signing-key.json'))).body).toMatchObject({
    state: 'no folder',
    reason: 'ENOTDIR',
  })
  expect((await look(app.folder, 'x'.repeat(43))).status).toBe(401)
})

test('there is no demo data without the examples', async () => {
  expect((await state()).firstRun?.mayFillDemo).toBe(false)
  expect((await client.send('POST', '/first-run/demo', { code })).status).toBe(404)
})

describe('with the examples', () => {
  let full: TestServer
  beforeEach(async () => {
    full = await startTestServer({ environment: {}, fillDemo: demoIn(skillsFolder) })
  })
  afterEach(() => full.stop())

  test('the demo data is loaded into an empty registry and its administrator is signed in, once', async () => {
    const desk = deskClient(full)
    const own = await signInCode(full, null)
    expect((await desk.get<DeskState>('/state')).body.firstRun?.mayFillDemo).toBe(true)
    // Two clicks: the second waits for the first, and the code works only once.
    const both = await Promise.all(
      [1, 2].map(() => desk.send<Reply>('POST', '/first-run/demo', { code: own })),
    )
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect(both.find(({ status }) => status === 200)?.body.person).toMatchObject({
      subject: 'marta',
      role: 'administrator',
    })
    const catalog = await fetch(`${full.registry}/api/marketplace/skills`)
    expect(JSON.stringify(await catalog.json())).toContain('csv-to-json')
    expect((await desk.send('POST', '/first-run/demo', { code: own })).status).toBe(401)
  })

  test('demo data is not loaded into a registry that has people', async () => {
    await full.token({ subject: 'alice', name: 'Alice' })
    const desk = deskClient(full)
    expect((await desk.get<DeskState>('/state')).body.firstRun?.mayFillDemo).toBe(false)
    const refused = await desk.send<Reply>('POST', '/first-run/demo', { code: await signInCode(full, null) })
    expect(refused).toMatchObject({ status: 409, body: { code: 'PERSON_EXISTS' } })
    expect(refused.body.error).toContain('Set up the registry yourself')
  })
})
