import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { fillLargely, makeAgentProject } from '../../../../tests/support/agents/agent-project.ts'
import { wrapConnection } from '../agents-database.ts'
import { memoryOf } from './agents-memory.ts'
import type { Part } from './agents-memory.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-agents-memory-'))
afterAll(() => rmSync(folder, { recursive: true }))

const make = (name: string, agents: number) =>
  makeAgentProject(join(folder, name), { fill: (database) => fillLargely(database, { agents, audit: 10 }) })

test('what takes several slices ends, however often its owner writes and however slow the machine is', () => {
  const { file } = make('busy', 5)
  const owner = new Sqlite(file)
  const reader = new Sqlite(file, { readonly: true })
  const database = wrapConnection(reader, file)
  const memory = memoryOf(database)
  const needs: Part[] = ['agents', 'supervisors', 'children', 'budgets', 'audit']
  const since = memory.look()
  const left: string[] = []
  do {
    owner
      .prepare("INSERT INTO agents (id, name, created_at, updated_at) VALUES (?, ?, '', '')")
      .run(`new-${left.length}`, `new-${left.length}`)
    // Its time is over before it begins.
    left.push(memory.sync(database, needs, since, performance.now() - 1))
    // Others look and begin meanwhile.
    memory.look()
  } while (left.at(-1) !== 'nothing' && left.length < 20)
  expect(left.filter((what) => what === 'tables')).toHaveLength(3)
  expect(left.at(-1)).toBe('nothing')
  expect(memory.children.rows).toHaveLength(5)
  expect(memory.audit.tape.rows).toBe(10)

  // What was written since the beginning is read by whoever begins after it.
  const later = memory.look()
  expect(memory.agents.isSynced(later)).toBe(false)
  expect(memory.sync(database, ['agents'], later, performance.now() + 1000)).toBe('nothing')
  expect(memory.agents.rows).toHaveLength(5 + left.length)
  reader.close()
  owner.close()
})

test('a file that takes the place of another one is read anew, also by what had begun before', () => {
  const { file } = make('first', 3)
  let reader = new Sqlite(file, { readonly: true })
  let database = wrapConnection(reader, file)
  const before = memoryOf(database)
  const since = before.look()
  expect(before.sync(database, ['agents'], since, performance.now() + 1000)).toBe('nothing')
  reader.close()
  renameSync(make('second', 4).file, file)
  reader = new Sqlite(file, { readonly: true })
  database = wrapConnection(reader, file)
  const after = memoryOf(database)
  expect(after).not.toBe(before)
  after.sync(database, ['agents'], since, performance.now() + 1000)
  expect(after.agents.rows).toHaveLength(4)
  expect(after.look()).toBeGreaterThan(since)
  expect(after.agents.isSynced(after.serial)).toBe(false)
  reader.close()
})
