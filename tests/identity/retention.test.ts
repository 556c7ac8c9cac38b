import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRetentionRepository } from '../../src/server/domains/identity/access-retention.repository.ts'
import { createAccessRetention } from '../../src/server/domains/identity/access-retention.service.ts'
import type { Purged } from '../../src/server/domains/identity/access-retention.service.ts'
import { signIn, signInCode, withDatabase } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { plansOf } from '../support/server/query-plans.ts'

const dayMs = 86_400_000
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs)

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(() => app.stop())

/** Purges as if it were that many days later. */
const purgeIn = (days: number): Promise<Purged> =>
  withDatabase(app, (database) => createAccessRetention(database, () => inDays(days)).purge())

const count = (table: string): Promise<number> =>
  withDatabase(app, async ({ reader }) =>
    reader.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get(),
  ).then(Number)

const mine = async (token: string) => {
  const { status, body } = await call<{ code?: string }>(`${app.api}/mine`, { token })
  return { status, code: body.code }
}

const jtiOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }).jti

const revoke = (token: string): Promise<void> =>
  withDatabase(app, (database) =>
    database.transact(() => {
      database.writer
        .prepare('UPDATE tokens SET revoked_at = ? WHERE jti = ?')
        .run(new Date().toISOString(), jtiOf(token))
    }),
  )

describe('the record of a token', () => {
  test('is removed 30 days after expiry or revocation, and no sooner', async () => {
    const before = await count('tokens')
    const day = 86_400
    const valid = await app.token({ subject: 'kim', life: 90 * day })
    await app.token({ subject: 'kim', life: day })
    await revoke(await app.token({ subject: 'kim', life: 90 * day }))
    expect((await purgeIn(29)).tokens).toBe(0)
    // Revoked today: removed after 30 days. Expires tomorrow: removed after 31.
    expect((await purgeIn(30.1)).tokens).toBe(1)
    expect((await purgeIn(31.1)).tokens).toBe(1)
    expect((await purgeIn(31.1)).tokens).toBe(0)
    expect(await count('tokens')).toBe(before + 1)
    expect((await mine(valid)).status).toBe(200)
  })

  test('can be removed without the token being accepted, even if it was revoked and has not expired', async () => {
    const token = await app.token({ subject: 'lee', life: 90 * 86_400 })
    await revoke(token)
    expect(await mine(token)).toEqual({ status: 401, code: 'TOKEN_REVOKED' })
    expect((await purgeIn(30.1)).tokens).toBe(1)
    expect(await mine(token)).toEqual({ status: 401, code: 'TOKEN_INVALID' })
  })
})

describe('a desk session', () => {
  test('is removed 30 days after it expired or was signed out', async () => {
    const ended = await signIn(app, 'rita')
    const open = await signIn(app, 'rita')
    await ended.send('DELETE', '/session')
    const before = await count('desk_sessions')
    expect((await purgeIn(29)).sessions).toBe(0)
    expect((await purgeIn(30.1)).sessions).toBe(1)
    expect((await open.get('/people')).status).toBe(200)
    // A session expires 30 days after its last use.
    expect((await purgeIn(59.9)).sessions).toBe(0)
    expect((await purgeIn(60.1)).sessions).toBe(before - 1)
  })
})

test('a sign-in code is removed a day after it expired', async () => {
  await signInCode(app, 'rita')
  const before = await count('sign_in_codes')
  expect(before).toBeGreaterThan(0)
  expect((await purgeIn(0.9)).codes).toBe(0)
  expect((await purgeIn(1.1)).codes).toBe(before)
})

test('an exchange of a trusted publisher is removed 30 days after its token expired', async () => {
  const person = await app.token({ subject: 'mia' })
  expect(await mine(person)).toMatchObject({ status: 200 })
  await withDatabase(app, (database) =>
    database.transact(() =>
      database.writer.exec(`
        INSERT INTO skill_names (name, owner_id, skeleton) SELECT 'by-jobs', max(id), 'by-jobs' FROM people;
        INSERT INTO name_owners (name, person_id, since, added_by)
          SELECT 'by-jobs', max(id), '2026-01-01T00:00:00.000Z', max(id) FROM people;
        INSERT INTO trusted_publishers (owner_id, identity, added_at)
          SELECT max(id), '{}', '2026-01-01T00:00:00.000Z' FROM name_owners;
        INSERT INTO token_exchanges (jti, publisher_id, token_hash, provenance, exchanged_at, expires_at)
          SELECT 'a', max(id), 'b', '{}', '${inDays(0).toISOString()}', '${inDays(0).toISOString()}'
          FROM trusted_publishers;`),
    ),
  )
  expect((await purgeIn(29.9)).exchanges).toBe(0)
  expect((await purgeIn(30.1)).exchanges).toBe(1)
  expect(await count('token_exchanges')).toBe(0)
})

test('thousands of records are removed in batches, each in its own transaction', async () => {
  const rows = 2345
  await withDatabase(app, (database) =>
    database.transact(() => {
      const insert = database.writer.prepare(
        `INSERT INTO tokens (jti, person_id, label, created_at, expires_at)
         VALUES (?, (SELECT min(id) FROM people), 'old', '2020-01-01T00:00:00.000Z', '2020-01-02T00:00:00.000Z')`,
      )
      for (let row = 0; row < rows; row += 1) insert.run(randomUUID())
    }),
  )
  const before = await count('tokens')
  await withDatabase(app, async (database) => {
    let transactions = 0
    const counting = {
      ...database,
      transact: <T>(work: Parameters<typeof database.transact<T>>[0]) => {
        transactions += 1
        return database.transact(work)
      },
    }
    expect((await createAccessRetention(counting).purge()).tokens).toBe(rows)
    expect(transactions).toBeGreaterThanOrEqual(5)
  })
  expect(await count('tokens')).toBe(before - rows)
})

test('each of its queries uses an index', () =>
  withDatabase(app, async ({ writer }) => {
    const plans = plansOf(writer, accessRetentionRepository)
    expect(plans.size).toBe(10)
    expect([...plans.values()].flat().filter((detail) => /^SCAN|TEMP B-TREE/.test(detail))).toEqual([])
  }))
