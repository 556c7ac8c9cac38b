import Sqlite from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestServer } from '../support/server/server.ts'

afterEach(() => vi.restoreAllMocks())

test('a starting server prepares each statement once per connection', async () => {
  const prepared = new Map<Sqlite.Database, string[]>()
  const prepare = Sqlite.prototype.prepare
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql: string) {
    prepared.set(this, [...(prepared.get(this) ?? []), sql])
    return prepare.call(this, sql)
  })
  const app = await startTestServer()
  const statements = [...prepared].filter(([connection]) => connection.open).map(([, list]) => list)
  await app.stop()
  expect(statements.map((list) => list.length > 100)).toEqual([true, true])
  for (const list of statements) {
    const repeated = list.filter((sql, index) => list.indexOf(sql) !== index)
    // Two repositories may have the same simple query.
    expect(repeated.length, repeated.join('\n')).toBeLessThanOrEqual(2)
  }
})
