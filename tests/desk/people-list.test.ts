import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { PersonListRow } from '../../src/shared/contracts/desk-people.ts'
import { longestTurnBelow } from '../support/cpu-time.ts'
import { signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

const people = 20_000
/** In milliseconds of CPU time. */
const longestTurn = 40
let app: TestRegistry
let rita: DeskClient
let expected: PersonListRow[]
beforeAll(async () => {
  app = await startTestRegistry({ checkReplies: false })
  rita = await signIn(app, 'rita')
  // Without the transparency log, whose entries would take most of the time.
  const database = new Sqlite(dataPaths(app.folder).database)
  // Each subject is shared by 500 people from different issuers. Not inserted in list order; some were removed.
  database
    .prepare(
      `WITH RECURSIVE counted (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counted WHERE i + 1 < ?)
       INSERT INTO people (issuer, subject, name, role, created_at, removed_at)
       SELECT 'https://login-' || (i / 40) || '.example', 'person-' || (i * 7 % 40), 'Zoë ' || i, 'developer',
         '2026-01-01T00:00:00.000Z', iif(i % 9 = 0, '2026-02-01T00:00:00.000Z', NULL) FROM counted`,
    )
    .run(people)
  database.exec(
    `INSERT INTO tokens (jti, person_id, label, created_at, expires_at, last_used_at)
     SELECT 'token-' || id, id, '', created_at, '2027-01-01T00:00:00.000Z', '2026-01-0' || (1 + id % 9) || 'T00:00:00.000Z'
     FROM people WHERE id % 3 = 0;
     INSERT INTO desk_sessions (person_id, token_hash, label, created_at, last_seen_at, expires_at)
     SELECT id, 'session-' || id, '', created_at, '2026-01-05T00:00:00.000Z', '2027-01-01T00:00:00.000Z'
     FROM people WHERE id % 2 = 0;
     INSERT INTO skill_names (name, owner_id) SELECT 'skill-' || id, id FROM people WHERE id % 5 = 0;
     INSERT INTO releases (name, version, owner_id, sha256, size, status, created_at)
     SELECT 'skill-' || id, '1.0.0', id, lower(hex(randomblob(32))), 1000, 'pending', created_at
     FROM people WHERE id % 5 = 0`,
  )
  expected = database
    .prepare<[], PersonListRow>(
      `SELECT p.id, p.subject, p.issuer, p.name, p.role, p.created_at AS createdAt, p.removed_at AS removedAt,
       (SELECT max(at) FROM (SELECT last_used_at AS at FROM tokens WHERE person_id = p.id
         UNION ALL SELECT last_seen_at FROM desk_sessions WHERE person_id = p.id)) AS lastSeenAt,
       (SELECT count(*) FROM releases WHERE owner_id = p.id) AS releases
     FROM people p ORDER BY p.removed_at IS NOT NULL, p.subject, p.id`,
    )
    .all()
  database.close()
}, 60_000)
afterAll(() => app.stop())

test(`the list of ${people} people is complete and in order, and does not block the server`, async () => {
  const chunks: Uint8Array[] = []
  const turn = await longestTurnBelow(longestTurn, async () => {
    chunks.length = 0
    const response = await rita.open('/people')
    expect(response.status).toBe(200)
    for await (const chunk of response.body ?? []) chunks.push(chunk)
  })
  const { items } = JSON.parse(Buffer.concat(chunks).toString()) as { items: PersonListRow[] }
  const seenNow = ({ subject }: PersonListRow): boolean => subject === 'rita'
  expect(items.length).toBeGreaterThan(people)
  expect(items.filter((row) => !seenNow(row))).toEqual(expected.filter((row) => !seenNow(row)))
  expect(turn).toBeLessThan(longestTurn)
}, 60_000)
