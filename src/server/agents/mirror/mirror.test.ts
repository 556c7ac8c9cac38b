import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addManyRows, makeAgentProject } from '../../../../tests/support/agents/agent-project.ts'
import { wrapConnection } from '../agents-database.ts'
import { findUnfinished, Mirror, mirrorOf, setMirrorPath } from './mirror.ts'
import type { TableName } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-agents-mirror-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => setMirrorPath(join(mkdtempSync(join(folder, 'data-')), 'mirror.db')))

const make = (name: string, agents: number) =>
  makeAgentProject(join(folder, name), { fill: (database) => addManyRows(database, { agents, audit: 10 }) })

test('work in several slices ends even if the owner keeps writing and the machine is slow', () => {
  const { file } = make('busy', 5)
  const owner = new Sqlite(file)
  const reader = new Sqlite(file, { readonly: true })
  const database = wrapConnection(reader, file)
  const mirror = mirrorOf(database)
  const needs: TableName[] = ['agents', 'supervisors', 'children', 'budgets', 'audit']
  const since = mirror.refresh(wrapConnection(reader, file))
  const left: string[] = []
  do {
    owner
      .prepare("INSERT INTO agents (id, name, created_at, updated_at) VALUES (?, ?, '', '')")
      .run(`new-${left.length}`, `new-${left.length}`)
    // The deadline has passed before it begins.
    left.push(mirror.sync(database, needs, since, performance.now() - 1))
    findUnfinished()?.finish()
    // Other queries check for changes and begin in between.
    mirror.refresh(wrapConnection(reader, file))
  } while (left.at(-1) !== 'nothing' && left.length < 20)
  expect(left.filter((what) => what === 'tables')).toHaveLength(3)
  expect(left.at(-1)).toBe('nothing')
  expect(mirror.tables.children.rows).toBe(5)
  expect(mirror.tables.audit.rows).toBe(10)

  // The next query reads what was written since.
  const later = mirror.refresh(wrapConnection(reader, file))
  expect(mirror.tables.agents.isSynced(later)).toBe(false)
  expect(mirror.sync(database, ['agents'], later, performance.now() + 1000)).toBe('nothing')
  expect(mirror.tables.agents.rows).toBe(5 + left.length)
  reader.close()
  owner.close()
})

test('a file that replaces another is copied again, even by queries that had already begun', () => {
  const { file } = make('first', 3)
  let reader = new Sqlite(file, { readonly: true })
  let database = wrapConnection(reader, file)
  const before = mirrorOf(database)
  const since = before.refresh(wrapConnection(reader, file))
  expect(before.sync(database, ['agents'], since, performance.now() + 1000)).toBe('nothing')
  reader.close()
  renameSync(make('second', 4).file, file)
  reader = new Sqlite(file, { readonly: true })
  database = wrapConnection(reader, file)
  const after = mirrorOf(database)
  expect(after).not.toBe(before)
  after.sync(database, ['agents'], since, performance.now() + 1000)
  expect(after.tables.agents.rows).toBe(4)
  expect(after.refresh(wrapConnection(reader, file))).toBeGreaterThan(since)
  expect(after.tables.agents.isSynced(after.serial)).toBe(false)
  reader.close()
})

test('two processes never write to the same mirror: the later one creates its own', () => {
  const { file } = make('shared', 3)
  const reader = new Sqlite(file, { readonly: true })
  const database = wrapConnection(reader, file)
  const mirrorFile = join(mkdtempSync(join(folder, 'data-')), 'mirror.db')
  const first = new Mirror(mirrorFile, file, '1:1')
  expect(first.sync(database, ['agents'], 1, Infinity)).toBe('nothing')
  const second = new Mirror(mirrorFile, file, '1:1')
  expect(second.tables.agents.rows).toBe(0)
  expect(second.sync(database, ['agents'], 1, Infinity)).toBe('nothing')
  expect(first.sync(database, ['trust'], 1, Infinity)).toBe('nothing')
  for (const mirror of [first, second]) {
    expect(mirror.value('SELECT count(*) FROM agents')).toBe(3)
    expect(mirror.value('PRAGMA integrity_check')).toBe('ok')
    mirror.close()
  }
  reader.close()
})
