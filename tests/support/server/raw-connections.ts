import { afterAll, afterEach, beforeAll } from 'vitest'
import type { RawClient } from './raw-client.ts'
import { startTestServer } from './server.ts'
import type { TestServer } from './server.ts'

/**
 * For a test file about connections: the address of a registry that cuts off slow transfers after a second, and the clients of
 * the current test, which are destroyed at its end.
 */
export function testRawConnections(): { registry(): string; clients: RawClient[] } {
  let app: TestServer
  beforeAll(async () => {
    app = await startTestServer({ paceWindowMs: 1000 })
  })
  afterAll(() => app.stop())

  const clients: RawClient[] = []
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy()
  })
  return { registry: () => app.registry, clients }
}
