import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addManyRows, makeAgentProject } from '../../../../tests/support/agents/agent-project.ts'
import { wrapConnection } from '../agents-database.ts'
import { closeMirror, setMirrorPath } from '../mirror/mirror.ts'
import { readProject } from '../read-project.ts'
import { backgroundSync } from './background-sync.ts'
import { deskQuery } from './desk-query.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-owner-waits-'))
let file: string

beforeEach(() => {
  setMirrorPath(join(mkdtempSync(join(folder, 'data-')), 'mirror.db'))
  const fill = (database: Sqlite.Database): void => addManyRows(database, { agents: 5, audit: 10 })
  ;({ file } = makeAgentProject(mkdtempSync(join(folder, 'project-')), { journal: 'delete', fill }))
})
afterAll(() => {
  closeMirror()
  rmSync(folder, { recursive: true })
})

/** Writes as the owner, without waiting for locks. */
function write(): void {
  const owner = new Sqlite(file, { timeout: 0 })
  owner.exec("UPDATE agents SET updated_at = ''")
  owner.close()
}

describe('the owner of a project with a rollback journal', () => {
  test('is not blocked while a view is computed', () => {
    const query = deskQuery({ needs: ['agents'], compute: () => write() })
    expect(readProject(file, (database) => query.read(database, {}, {}))).toMatchObject({
      state: 'ready',
      value: { missingTables: [] },
    })
  })

  test('is not blocked between two statements in the background', () => {
    const reader = new Sqlite(file, { readonly: true })
    reader.exec('BEGIN')
    backgroundSync.read(wrapConnection(reader, file), { known: '', soon: false }, {})
    expect(write).not.toThrow()
    reader.close()
  })
})
