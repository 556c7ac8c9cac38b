import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DeskServices } from '../../src/shared/contracts/desk-services.ts'
import { openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

let app: TestServer
let rita: DeskClient
let proxy: HttpServer
let address: string
/** The proxy's response status. */
let status = 502

beforeEach(async () => {
  proxy = createServer((_req, res) => res.writeHead(status).end('x'.repeat(100_000)))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  app = await startTestServer({ environment: {} })
  await app.token({ subject: 'rita', name: 'Rita', role: 'administrator' })
  rita = await signIn(app, 'rita')
})
afterEach(async () => {
  await app.stop()
  proxy.closeAllConnections()
  proxy.close()
})

const look = async (client = rita): Promise<DeskServices> =>
  (await client.get<DeskServices>('/services')).body

const answerOf = (expected: string) =>
  until(`${expected} has responded`, async () => {
    const { publicUrl, publicAnswer } = await look()
    return publicUrl === expected ? publicAnswer : null
  })

test('without a public URL nothing is requested', async () => {
  expect(await look()).toMatchObject({ publicAnswer: null, behindProxy: false, workspace: null })
})

test('the response at the public URL is reported, and a changed URL is requested immediately', async () => {
  await app.server.settings.save({ publicUrl: address, trustProxy: ['127.0.0.1'], workspace: '/my/project' })
  expect(await look()).toMatchObject({ behindProxy: true, workspace: '/my/project' })
  expect(await answerOf(address)).toEqual({ at: expect.any(String), status: 502, reason: null })
  expect(app.logs.filter((line) => line.includes('the public address does not answer'))).toHaveLength(1)
  const withPassword = app.server.settings.save({ publicUrl: address.replace('//', '//rita:correct-horse@') })
  await expect(withPassword).rejects.toThrow('publicUrl must not contain a user name or a password')
  expect(app.logs.filter((line) => line.includes('correct-horse'))).toEqual([])
  const closed = `http://127.0.0.1:${await findFreePort()}`
  await app.server.settings.save({ publicUrl: closed })
  expect(await answerOf(closed)).toMatchObject({ status: null, reason: 'ECONNREFUSED' })
  await app.server.settings.save({ publicUrl: app.registry })
  expect(await answerOf(app.registry)).toMatchObject({ status: 200, reason: null })
})

test('a stop does not wait for a URL that does not respond', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const requested = new Promise((resolve) => silent.once('request', resolve))
  let isLetGo = false
  silent.once('connection', (socket) => socket.once('close', () => (isLetGo = true)))
  await app.server.settings.save({ publicUrl: `http://127.0.0.1:${port}` })
  await look()
  await requested
  await app.stop()
  // Long before its own timeout.
  await until('the request is aborted', () => isLetGo, 3000)
  silent.close()
})

test('administrators see the names of the people with an open desk, each once', async () => {
  await app.token({ subject: 'alice', name: 'Alice' })
  const alice = await signIn(app, 'alice')
  const streams = await Promise.all([openEvents(rita), openEvents(rita), openEvents(alice)])
  await Promise.all(streams.map((stream) => stream.next()))
  const { openDesks, deskPeople } = await look()
  expect(openDesks).toBe(3)
  expect(deskPeople.map(({ name }) => name).toSorted()).toEqual(['Alice', 'Rita'])
  expect(await look(alice)).toMatchObject({ openDesks: 3, deskPeople: [] })
  for (const stream of streams) stream.close()
})

test('a port in use by another program is distinguished from other failures', async () => {
  const { port } = proxy.address() as AddressInfo
  await app.server.control('registry', 'stop')
  await app.server.settings.save({ port })
  await expect(app.server.control('registry', 'start')).rejects.toThrow('is already in use by')
  expect((await look()).services[0]).toMatchObject({ name: 'registry', state: 'failed', portTaken: true })
  await app.server.settings.save({ port: await findFreePort() })
  await app.server.control('registry', 'start')
  expect((await look()).services[0]).toMatchObject({ state: 'running', portTaken: false })
})
