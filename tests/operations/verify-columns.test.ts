import { expect, test } from 'vitest'
import { createModelDatabase } from '../../src/server/db/migrate.ts'
import { listColumns, listTables } from '../../src/server/db/stored-schema.ts'
import { columnRules } from '../../src/server/verify/column-rules.ts'
import { databaseChecks } from '../../src/server/verify/database-checks.ts'

test('verify has a rule for every text and blob column, and none for a column that does not exist', () => {
  const database = createModelDatabase()
  const columns = listTables(database).flatMap((table) =>
    listColumns(database, table).map(({ name, type }) => ({ column: `${table}.${name}`, type })),
  )
  database.close()
  const ruled = Object.entries(columnRules).flatMap(([table, rules]) =>
    Object.keys(rules).map((name) => `${table}.${name}`),
  )
  const storedColumns = columns
    .filter(({ type }) => type === 'TEXT' || type === 'BLOB')
    .map(({ column }) => column)
  expect(storedColumns.filter((column) => !ruled.includes(column))).toEqual([])
  expect(ruled.filter((column) => !columns.some((one) => one.column === column))).toEqual([])
})

test('every derived column names a check that verify has', () => {
  const checks = new Set(databaseChecks.map(({ name }) => name))
  const named = Object.values(columnRules).flatMap((rules) =>
    Object.values(rules).flatMap((rule) => ('comparedBy' in rule ? [rule.comparedBy] : [])),
  )
  expect(named.filter((name) => !checks.has(name))).toEqual([])
})
