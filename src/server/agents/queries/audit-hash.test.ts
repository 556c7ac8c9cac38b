import { createHash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { wrapConnection } from '../agents-database.ts'
import { hashedColumn, isVerified, isVerifiedByCells } from './audit-hash.ts'

/** SQL for cells that a project may contain, each with the bytes hashed for it. */
const cells: [sql: string, hashed: Buffer | string][] = [
  ['NULL', ''],
  ['7', '7'],
  ['-7', '-7'],
  ["'7'", '7'],
  ["''", ''],
  ["'agent.step'", 'agent.step'],
  ["'grün 🤖'", 'grün 🤖'],
  ["'a:b'", 'a:b'],
  ["'\u{FEFF}begins so'", '\u{FEFF}begins so'],
  ["'one' || char(10) || 'two'", 'one\ntwo'],
  ["'\u{FFFD}'", '\u{FFFD}'],
  ["CAST(x'41ff42' AS TEXT)", Buffer.from([0x41, 0xff, 0x42])],
  ["CAST(x'eda080' AS TEXT)", Buffer.from([0xed, 0xa0, 0x80])],
  ["x'4142'", 'AB'],
  ['7.5', '7.5'],
  ['9007199254740993', '9007199254740993'],
]
const lamports: typeof cells = [...cells, ['7.0', '7'], ['-0.0', '0'], ['1e15', '1000000000000000']]

const digestOf = (parts: readonly (Buffer | string)[]): string => {
  const hash = createHash('sha256')
  for (const [index, part] of parts.entries()) hash.update(index === 0 ? '' : ':').update(part)
  return hash.digest('hex')
}

const database = new Sqlite(':memory:')
database.exec('CREATE TABLE audit_log (lamport, agent_name, event_type, detail, content_hash)')
const project = wrapConnection(database, ':memory:')

const rowWith = (lamport: string, agent: string, detail: string, digest: string, event = 'e') => {
  const [row] = project.all(
    `SELECT *, ${hashedColumn(project)} FROM
      (SELECT ${lamport} AS lamport, ${agent} AS agent_name, '${event}' AS event_type, ${detail} AS detail, '${digest}' AS content_hash)`,
  )
  return row ?? {}
}

test.each(lamports)(
  'a row with the lamport %s is verified by its cells as by its bytes',
  (lamport, first) => {
    for (const [agent, second] of cells) {
      for (const [detail, third] of cells) {
        const digest = digestOf([first, second, 'e', third])
        const good = rowWith(lamport, agent, detail, digest)
        expect(isVerified(good), `${agent} ${detail}`).toBe(true)
        expect(isVerifiedByCells(good) ?? true, `${agent} ${detail}`).toBe(true)
        const changed = rowWith(lamport, agent, detail, digest, 'f')
        expect(isVerifiedByCells(changed) ?? false).toBe(false)
      }
    }
  },
)

test('ordinary rows are verified by their cells, and values that JavaScript cannot represent by their bytes', () => {
  const digest = digestOf(['7', 'a', 'e', 'd'])
  expect(isVerifiedByCells(rowWith('7', "'a'", "'d'", digest))).toBe(true)
  expect(isVerifiedByCells(rowWith('8', "'a'", "'d'", digest))).toBe(false)
  expect(isVerifiedByCells({ ...rowWith('7', "'a'", "'d'", digest), content_hash: null })).toBe(false)
  for (const odd of ["CAST(x'ff' AS TEXT)", "x'41'", '7', '7.5']) {
    expect(isVerifiedByCells(rowWith('7', odd, "'d'", digest)), odd).toBeNull()
  }
  expect(isVerifiedByCells(rowWith('9007199254740993', "'a'", "'d'", digest))).toBeNull()
})
