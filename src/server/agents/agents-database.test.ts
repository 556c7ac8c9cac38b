import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { wrapConnection } from './agents-database.ts'

test('a table that was replaced or altered has its new columns, although columns are kept', () => {
  const connection = new Sqlite(':memory:')
  const namesNow = (): string[] => [
    ...(wrapConnection(connection, '/nowhere').columnsOf('agents')?.keys() ?? []),
  ]
  expect(namesNow()).toEqual([])
  connection.exec('CREATE TABLE agents (name TEXT)')
  expect(namesNow()).toEqual(['name'])
  connection.exec('ALTER TABLE agents ADD COLUMN pid INTEGER')
  expect(namesNow()).toEqual(['name', 'pid'])
  connection.exec('DROP TABLE agents; CREATE TABLE agents (id TEXT, name TEXT)')
  expect(namesNow()).toEqual(['id', 'name'])
  connection.exec('DROP TABLE agents; CREATE VIEW agents AS SELECT 1 AS id')
  expect(namesNow()).toEqual([])
  connection.close()
})
