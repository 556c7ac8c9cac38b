import type Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import type * as original from '../../src/server/db/prepare-when-used.ts'
import { startTestServer } from '../support/server/server.ts'

interface Statements {
  connection: Sqlite.Database
  declared: string[]
  prepared: string[]
}

const all = vi.hoisted((): Statements[] => [])

vi.mock('../../src/server/db/prepare-when-used.ts', async (load) => {
  const { prepareWhenUsed } = await load<typeof original>()
  const record = (connection: Sqlite.Database, list: string[]): void => {
    const prepare = connection.prepare.bind(connection) as (sql: string) => unknown
    Object.assign(connection, {
      prepare(sql: string) {
        list.push(sql)
        return prepare(sql)
      },
    })
  }
  return {
    prepareWhenUsed(connection: Sqlite.Database) {
      const statements: Statements = { connection, declared: [], prepared: [] }
      all.push(statements)
      record(connection, statements.prepared)
      prepareWhenUsed(connection)
      record(connection, statements.declared)
    },
  }
})

test('a starting server declares each statement once per connection, and prepares only those that it uses', async () => {
  const app = await startTestServer()
  const open = all.filter(({ connection }) => connection.open)
  await app.stop()
  expect(open.map(({ declared }) => declared.length > 100)).toEqual([true, true])
  for (const { declared, prepared } of open) {
    const repeated = declared.filter((sql, index) => declared.indexOf(sql) !== index)
    // Two repositories may have the same simple query.
    expect(repeated.length, repeated.join('\n')).toBeLessThanOrEqual(2)
    expect(prepared.length, prepared.join('\n')).toBeLessThan(declared.length / 3)
  }
})
