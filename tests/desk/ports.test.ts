import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PortState } from '../../src/shared/contracts/desk-settings.ts'
import { signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
let holder: Server
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
  holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  holder.close()
  await app.stop()
})

const ask = (port: number | string) => rita.get<PortState>(`/ports/${port}`)

test('a free port is available', async () => {
  const port = await findFreePort()
  expect((await ask(port)).body).toEqual({ port, state: 'free', holder: null, suggestion: null })
})

test('the ports of both services are used by Skilldock', async () => {
  for (const address of [app.registry, app.dashboard]) {
    const port = Number(new URL(address).port)
    expect((await ask(port)).body).toEqual({ port, state: 'own', holder: null, suggestion: null })
  }
})

test('a port in use is returned with the program that uses it and with an available port', async () => {
  const { port } = holder.address() as AddressInfo
  const { body } = await ask(port)
  expect(body).toMatchObject({ port, state: 'taken' })
  if (process.platform === 'linux') expect(body.holder).toContain(`(process ${process.pid})`)
  expect(body.suggestion).not.toBeNull()
  expect(Math.abs((body.suggestion ?? 0) - port)).toBeLessThanOrEqual(50)
  expect((await ask(body.suggestion ?? 0)).body.state).toBe('free')
})

test.each(['0', '65536', 'x', '-1', '1.5'])('%s is not a port', async (port) => {
  expect((await ask(port)).status).toBe(400)
})
