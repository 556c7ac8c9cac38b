import Sqlite from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestServer } from '../support/server/server.ts'

afterEach(() => vi.restoreAllMocks())

test('a server prepares a statement when it first needs it, once per connection', async () => {
  const prepared = new Map<Sqlite.Database, string[]>()
  const prepare = Sqlite.prototype.prepare
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql: string) {
    prepared.set(this, [...(prepared.get(this) ?? []), sql])
    return prepare.call(this, sql)
  })
  const app = await startTestServer()
  const statements = (): string[][] =>
    [...prepared].filter(([connection]) => connection.open).map(([, list]) => list)
  const atStart = statements().flat().length
  for (const path of ['/', '/skills', '/api/marketplace/skills', '/', '/skills?q=a', '/skills?q=a']) {
    expect((await fetch(`${app.registry}${path}`)).status).toBe(200)
  }
  const afterRequests = statements()
  await app.stop()
  expect(atStart).toBeLessThan(100)
  expect(afterRequests.flat().length).toBeGreaterThan(atStart)
  for (const list of afterRequests) {
    const repeated = list.filter((sql, index) => list.indexOf(sql) !== index)
    // Two repositories may have the same simple query.
    expect(repeated.length, repeated.join('\n')).toBeLessThanOrEqual(2)
  }
})
