import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { eventLog, nodePosition } from '../../src/server/db/log/event-log.ts'
import { openConfigured } from '../../src/server/db/open.ts'
import { leafHash } from '../../src/shared/log/hashes.ts'
import { skillHere } from '../support/client/client-here.ts'
import { naiveRoot } from '../support/fixtures/naive-tree.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

// `skill audit --log` with the real registry, whose administrator also has its database.

let app: TestRegistry
let approved: number
const folder = temporaryFolder()
const skill = (...args: string[]) => skillHere(args, { folder, env: { SKILL_REGISTRY: app.registry } })

beforeAll(async () => {
  app = await startTestRegistry()
  approved = await app.release({ name: 'word-count' }, 'approved')
  await app.release({ name: 'never-approved' }, 'rejected')
  await skill('install', 'word-count')
})
afterAll(() => app.stop())

/** Changes stored entries with SQL, and then makes all hashes of the tree fit. */
function rewriteHistory(sql: string): void {
  const connection = openConfigured(dataPaths(app.folder).database, { timeoutMs: 5000 })
  try {
    connection.exec(`BEGIN IMMEDIATE; ${sql}; DELETE FROM log_nodes`)
    const insert = connection.prepare('INSERT INTO log_nodes (position, hash) VALUES (?, ?)')
    const leaves = eventLog(connection)
      .list(0, 1000)
      .map(({ entry }) => leafHash(Buffer.from(entry)))
    for (let level = 0, width = 1; width <= leaves.length; level += 1, width *= 2) {
      for (let index = 0; (index + 1) * width <= leaves.length; index += 1) {
        const root = naiveRoot(leaves.slice(index * width, (index + 1) * width))
        insert.run(nodePosition(level, index), root)
      }
    }
    connection.exec('COMMIT')
  } finally {
    connection.close()
  }
}

const stateFile = (): string => {
  const logs = join(folder, 'skill', 'logs')
  return join(logs, readdirSync(logs)[0] ?? '')
}

async function expectRefusal(message: RegExp): Promise<void> {
  const before = readFileSync(stateFile(), 'utf8')
  const { status, stderr } = await skill('audit', '--log')
  expect(stderr).toMatch(message)
  expect(status).toBe(exitCodes.untrustedLog)
  expect(readFileSync(stateFile(), 'utf8')).toBe(before)
}

test('the log has the approval of an installed skill, and later its revocation', async () => {
  const first = await skill('audit', '--log')
  expect(first.stdout).toMatch('✓ word-count@1.0.0 was approved on ')
  expect(first.status).toBe(exitCodes.done)
  await app.decide(approved, 'revoked')
  const second = await skill('audit', '--log')
  expect(second.stdout).toMatch(/is unchanged up to the last audit and has \d+ entries, 1 of them new\.\n/)
  expect(second.stdout).toMatch('✗ word-count@1.0.0 was revoked on ')
  expect(second.status).toBe(exitCodes.failed)
})

test('a history that was rewritten or cut in the database is refused', async () => {
  rewriteHistory('SELECT 1')
  expect((await skill('audit', '--log')).stdout).toMatch('0 of them new')
  rewriteHistory(`UPDATE log_entries SET entry = replace(entry, 'release.revoked', 'release.approved')`)
  await expectRefusal(
    /^skill: The history of \S+ was rewritten: its log no longer begins with the \d+ entries/,
  )
  await app.release({ name: 'slugify' }, 'approved')
  await expectRefusal(/^skill: The history of \S+ was rewritten/)
  rewriteHistory('DELETE FROM log_entries WHERE idx > 3')
  await expectRefusal(/^skill: The log of \S+ lost entries: it had \d+ at the last audit and now has 4\.\n/)
})
