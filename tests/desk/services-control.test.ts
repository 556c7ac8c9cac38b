import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DeskService, DeskServices } from '../../src/shared/contracts/desk-services.ts'
import { signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let rita: DeskClient
beforeEach(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
})
afterEach(() => app.stop())

const order = (name: string, action: string) =>
  rita.send<{ code?: string; error?: string }>('POST', `/services/${name}/${action}`)
const services = async (): Promise<DeskServices> => (await rita.get<DeskServices>('/services')).body
const registry = async (): Promise<DeskService | undefined> =>
  (await services()).services.find(({ name }) => name === 'registry')
const isAnswering = (): Promise<boolean> =>
  fetch(`${app.registry}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )

test('the registry can be stopped, started and restarted on its address, and its status follows', async () => {
  expect((await order('registry', 'stop')).status).toBe(200)
  expect(await isAnswering()).toBe(false)
  expect(await registry()).toMatchObject({ state: 'stopped', startedAt: null, url: app.registry })
  expect((await order('registry', 'start')).status).toBe(200)
  expect(await isAnswering()).toBe(true)
  const before = await registry()
  expect(before).toMatchObject({ state: 'running', url: app.registry })
  expect((await order('registry', 'restart')).status).toBe(200)
  expect(await isAnswering()).toBe(true)
  const after = await registry()
  expect(Date.parse(after?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before?.startedAt ?? ''))
  // Repeating an action is not an error.
  expect((await order('registry', 'start')).status).toBe(200)
})

test('simultaneous actions are carried out one after another', async () => {
  const replies = await Promise.all(
    ['restart', 'stop', 'start', 'restart'].map((action) => order('registry', action)),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await until('it answers', isAnswering)
})

test('a start fails while another program uses the port, names it, and works once the port is free', async () => {
  await order('registry', 'stop')
  const holder = createServer()
  const port = Number(new URL(app.registry).port)
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve))
  const refused = await order('registry', 'start')
  expect(refused).toMatchObject({ status: 409, body: { code: 'PORT_TAKEN' } })
  if (process.platform === 'linux') expect(refused.body.error).toContain(`(process ${process.pid})`)
  expect(await registry()).toMatchObject({
    state: 'failed',
    error: refused.body.error,
    lastError: { text: expect.stringContaining(String(port)) },
  })
  await new Promise((resolve) => holder.close(resolve))
  expect((await order('registry', 'start')).status).toBe(200)
  expect(await isAnswering()).toBe(true)
})

test('the local services respond, can be restarted, and keep the session of the desk', async () => {
  const startedAt = (await services()).services[1]?.startedAt
  expect((await order('dashboard', 'restart')).status).toBe(200)
  const again = await until('the desk is back', async () => {
    // It first refuses requests and then does not respond.
    const reply = await rita.get<DeskServices>('/services').catch(() => null)
    const dashboard = reply?.status === 200 ? reply.body.services[1] : undefined
    return dashboard?.state === 'running' && dashboard.startedAt !== startedAt && dashboard
  })
  expect(again.url).toBe(app.dashboard)
})

test.each(['stop', 'start'])('no request to the local services can %s them', async (action) => {
  const refused = await order('dashboard', action)
  expect(refused).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('the app can also stop and start the local services, because it does not use them to do so', async () => {
  await app.server.control('dashboard', 'stop')
  expect(app.server.local.state).toBe('stopped')
  await app.server.control('dashboard', 'start')
  expect(app.server.local).toMatchObject({ state: 'running', url: app.dashboard })
  expect((await rita.get('/services')).status).toBe(200)
})

test('an unknown service or action is refused', async () => {
  expect((await order('database', 'stop')).status).toBe(400)
  expect((await order('registry', 'end')).status).toBe(400)
})

test('statistics include requests, their median duration, releases, package bytes and free disk space', async () => {
  const none = await registry()
  expect(none?.requests).toHaveLength(120)
  await app.submit({ name: 'one' })
  await app.submit({ name: 'two' })
  await Promise.all([1, 2, 3].map(isAnswering))
  const now = await until('they are counted', async () => {
    const one = await services()
    return (one.services[0]?.requestsLastMinute ?? 0) >= 5 && one
  })
  expect(now.services[0]?.medianMs).toBeGreaterThan(0)
  expect(now.services[0]?.lastError).toBeNull()
  const amount = await services()
  expect(amount.releases).toBe(2)
  // Both releases have the same package.
  expect(amount.packageBytes).toBe(app.wasm.length)
  expect(amount.freeBytes).toBeGreaterThan(0)
  expect(amount.walBytes).toBeGreaterThan(0)
  expect(amount.fragmentation).toBeLessThan(1)
})
