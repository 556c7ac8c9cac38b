import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import type { NameOwners, OwnNames, OwnerOffer } from '../../src/shared/contracts/owners.ts'
import { dailyOffers, maxOwners } from '../../src/shared/contracts/owners.ts'
import { getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { goodManifest, quietModule } from '../support/fixtures/findings.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import type { Reply } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let bob: string
let carol: string
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  bob = await app.token({ subject: 'bob', name: 'Bob' })
  carol = await app.token({ subject: 'carol', name: 'Carol' })
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

type Answer = Reply<{ code?: string; error?: string } & Partial<OwnerOffer>>
const own = (path: string, token: string, method = 'GET', body?: unknown): Promise<Answer> =>
  call(`${app.registry}/api/skilldock${path}`, { token, method, ...(body === undefined ? {} : { body }) })
const offer = (token: string, name: string, to: string, kind = 'co-owner'): Promise<Answer> =>
  own(`/names/${name}/offers`, token, 'POST', { kind, to })
const answer = (token: string, id: number | undefined, given: string): Promise<Answer> =>
  own(`/offers/${id}`, token, 'POST', { answer: given })
const leave = (token: string, name: string): Promise<Answer> => own(`/names/${name}`, token, 'DELETE')
const transfer = (name: string, to: string, reason = 'The owner asked for it by mail.') =>
  rita.send<{ code?: string }>('POST', `/names/${name}/transfer`, { to, reason })

const listNames = async (token: string): Promise<OwnNames> =>
  (await call<OwnNames>(`${app.registry}/api/skilldock/names`, { token })).body
const ownersOf = async (name: string): Promise<string[]> =>
  (
    await call<{ items: { publisher: string }[] }>(`${app.registry}/api/skilldock/skills/${name}/owners`)
  ).body.items.map(({ publisher }) => publisher)
const publishAs = async (token: string, name: string, version: string): Promise<string> => {
  const { status, body } = await publish(app.registry, token, manifest({ name, version }), app.wasm)
  return status === 201 ? 'published' : String(body.code)
}

/** A name of Alice with an approved release, shared with Bob. */
async function sharedName(name: string): Promise<void> {
  await app.release({ name }, 'approved')
  const { body } = await offer(app.developer, name, 'bob')
  expect(await answer(bob, body.id, 'accepted')).toMatchObject({ status: 200, body: { success: true } })
}

const sql = (statements: string): void => {
  const database = new Sqlite(dataPaths(app.folder).database, { timeout: 5000 })
  database.exec(statements)
  database.close()
}

describe('co-owners', () => {
  test('publish releases of the name, and nobody else does', async () => {
    await app.release({ name: 'shared' }, 'approved')
    expect(await publishAs(bob, 'shared', '1.1.0')).toBe('NAME_TAKEN')
    const { status, body } = await offer(app.developer, 'shared', 'bob')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'shared',
      kind: 'co-owner',
      from: { publisher: 'Alice' },
      to: { publisher: 'Bob' },
    })
    expect(Date.parse(body.expiresAt ?? '') - Date.parse(body.offeredAt ?? '')).toBe(7 * 24 * 3600 * 1000)
    // An offer is not ownership.
    expect(await publishAs(bob, 'shared', '1.1.0')).toBe('NAME_TAKEN')
    expect((await answer(bob, body.id, 'accepted')).status).toBe(200)
    expect(await publishAs(bob, 'shared', '1.1.0')).toBe('published')
    expect(await publishAs(app.developer, 'shared', '1.2.0')).toBe('published')
    expect(await publishAs(carol, 'shared', '1.3.0')).toBe('NAME_TAKEN')
    expect(await publishAs(app.administrator, 'shared', '1.3.0')).toBe('NAME_TAKEN')
    expect(await ownersOf('shared')).toEqual(['Alice', 'Bob'])
  })

  test('each have their own releases, and are their publishers', async () => {
    await sharedName('by-two')
    await publishAs(bob, 'by-two', '2.0.0')
    const mine = async (token: string): Promise<string[]> =>
      (await call<List>(`${app.api}/mine`, { token })).body.items
        .filter(({ name }) => name === 'by-two')
        .map(({ version, publisher }) => `${version} by ${publisher}`)
    expect(await mine(app.developer)).toEqual(['1.0.0 by Alice'])
    expect(await mine(bob)).toEqual(['2.0.0 by Bob'])
    const { items } = await listNames(app.developer)
    expect(items.find(({ name }) => name === 'by-two')?.latest).toEqual({
      version: '2.0.0',
      status: 'pending',
      publisher: 'Bob',
    })
  })

  test('are shown on the page, in the document and in the own names, until they are removed', async () => {
    const dana = await app.token({ subject: 'dana', name: 'Dana' })
    await app.release({ name: 'shown' }, 'approved')
    const { body } = await offer(app.developer, 'shown', 'dana')
    const page = async (): Promise<string> => (await fetch(`${app.registry}/skills/shown/1.0.0`)).text()
    const document = async (): Promise<string> =>
      (await fetch(`${app.registry}/docs-markdown/marketplace/shown/1.0.0.md`)).text()
    expect(await page()).toMatch(/<dt>Owners<\/dt>\s*<dd>Alice<\/dd>/)
    await answer(dana, body.id, 'accepted')
    expect(await page()).toMatch(/<dt>Owners<\/dt>\s*<dd>Alice, Dana<\/dd>/)
    expect(await document()).toMatch(/^owners: "?Alice, Dana"?$/m)
    expect((await listNames(dana)).items).toMatchObject([
      { name: 'shown', owners: [{ publisher: 'Alice' }, {}] },
    ])
    await withPeople((people) => people.removePerson('dana'), app.folder)
    expect(await page()).toMatch(/<dt>Owners<\/dt>\s*<dd>Alice<\/dd>/)
    expect(await document()).toMatch(/^owners: "?Alice"?$/m)
    expect(await ownersOf('shown')).toEqual(['Alice'])
  })

  test('of a skill without an approved release are not public', async () => {
    await app.release({ name: 'hidden-owners' }, 'rejected')
    expect(await call(`${app.registry}/api/skilldock/skills/hidden-owners/owners`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })

  test('with a token that can only publish are listed and cannot be changed', async () => {
    await sharedName('no-scope')
    const publishing = await app.token({ subject: 'bob', scope: 'publish' })
    expect((await listNames(publishing)).items.map(({ name }) => name)).toContain('no-scope')
    const open = (await offer(app.developer, 'no-scope', 'rita')).body
    for (const reply of [
      await offer(publishing, 'no-scope', 'carol', 'transfer'),
      await answer(publishing, open.id, 'withdrawn'),
      await leave(publishing, 'no-scope'),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'SCOPE_INSUFFICIENT' } })
    }
    expect(await ownersOf('no-scope')).toEqual(['Alice', 'Bob'])
  })

  test('approve releases of each other, which is no self-approval', async () => {
    const ruth = await app.token({ subject: 'ruth', name: 'Ruth', role: 'administrator' })
    await app.release({ name: 'four-eyes' }, 'approved')
    const { body } = await offer(app.developer, 'four-eyes', 'ruth')
    await answer(ruth, body.id, 'accepted')
    expect(
      (await rita.send('PUT', '/settings', { changes: { 'review.selfApproval': 'never' } })).status,
    ).toBe(200)
    const decide = async (version: string, token: string): Promise<unknown> => {
      const id = await app.submit({ name: 'four-eyes', version }, token)
      const reply = await call<{ code?: string }>(`${app.api}/review/${id}`, {
        token: ruth,
        method: 'POST',
        body: { action: 'approved', reason: 'I read all of it.' },
      })
      return reply.body.code ?? reply.status
    }
    expect(await decide('2.0.0', app.developer)).toBe(200)
    expect(await decide('3.0.0', ruth)).toBe('SELF_REVIEW')
    await rita.send('PUT', '/settings', { changes: { 'review.selfApproval': 'allowed' } })
  })
})

describe('an offer', () => {
  let made: OwnerOffer
  beforeAll(async () => {
    await app.release({ name: 'offered' }, 'approved')
    made = (await offer(app.developer, 'offered', 'bob')).body as OwnerOffer
  })

  test('is made by owners only, to one person with access, once', async () => {
    expect(await offer(bob, 'offered', 'carol')).toMatchObject({ status: 403, body: { code: 'NOT_OWNER' } })
    expect(await offer(app.administrator, 'offered', 'carol')).toMatchObject({ body: { code: 'NOT_OWNER' } })
    expect(await offer(bob, 'never-submitted', 'carol')).toMatchObject({ body: { code: 'NOT_OWNER' } })
    expect(await offer(app.developer, 'offered', 'nobody')).toMatchObject({ status: 404 })
    expect(await offer(app.developer, 'offered', 'id:9999')).toMatchObject({ status: 404 })
    await app.token({ subject: 'gone' })
    await withPeople((people) => people.removePerson('gone'), app.folder)
    expect(await offer(app.developer, 'offered', 'gone')).toMatchObject({ status: 404 })
    for (const to of ['alice', 'bob', `id:${made.to.id}`]) {
      expect(await offer(app.developer, 'offered', to)).toMatchObject({
        status: 409,
        body: { code: 'ALREADY_OWNER' },
      })
    }
  })

  test('to a sign-in name of several people asks for an id', async () => {
    sql(`INSERT INTO people (issuer, subject, role, created_at)
      VALUES ('https://a.example', 'twin', 'developer', '2026-01-01T00:00:00.000Z'),
        ('https://b.example', 'twin', 'developer', '2026-01-01T00:00:00.000Z')`)
    expect(await offer(app.developer, 'offered', 'twin')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', error: expect.stringContaining('id:7') },
    })
  })

  test('is seen by its recipient and the owners only', async () => {
    expect((await listNames(bob)).received).toEqual([made])
    const { items, received } = await listNames(app.developer)
    expect(items.find(({ name }) => name === 'offered')?.offers).toEqual([made])
    expect(received).toEqual([])
    expect(JSON.stringify(await listNames(carol))).not.toContain('offered')
  })

  test('is accepted and declined only by its recipient, and withdrawn only by an owner', async () => {
    for (const [token, given] of [
      [app.developer, 'accepted'],
      [app.developer, 'declined'],
      [carol, 'accepted'],
      [carol, 'withdrawn'],
      [bob, 'withdrawn'],
      [app.administrator, 'withdrawn'],
    ] as const) {
      expect(await answer(token, made.id, given)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    expect((await answer(bob, made.id, 'declined')).status).toBe(200)
    expect((await listNames(bob)).received).toEqual([])
    expect(await publishAs(bob, 'offered', '2.0.0')).toBe('NAME_TAKEN')
  })

  const ended = { status: 409, body: { code: 'INVALID_TRANSITION' } }
  test('that has ended in any way can be answered no more', async () => {
    expect(await answer(bob, made.id, 'accepted')).toMatchObject(ended)
    const withdrawn = (await offer(app.developer, 'offered', 'bob')).body
    expect((await answer(app.developer, withdrawn.id, 'withdrawn')).status).toBe(200)
    expect(await answer(bob, withdrawn.id, 'accepted')).toMatchObject(ended)
    const expired = (await offer(app.developer, 'offered', 'bob')).body
    sql(`UPDATE owner_offers SET expires_at = '2026-01-01T00:00:00.000Z' WHERE id = ${expired.id}`)
    expect((await listNames(bob)).received).toEqual([])
    expect(await answer(bob, expired.id, 'accepted')).toMatchObject(ended)
    // An expired offer does not prevent another one.
    expect((await offer(app.developer, 'offered', 'bob')).status).toBe(201)
    expect(await publishAs(bob, 'offered', '2.0.0')).toBe('NAME_TAKEN')
  })

  test('ends when the owner who made it leaves, loses the name or is removed', async () => {
    const erin = await app.token({ subject: 'erin', name: 'Erin' })
    for (const [name, end] of [
      ['left-behind', () => leave(erin, 'left-behind')],
      ['taken-away', () => transfer('taken-away', 'alice')],
      ['removed-with', () => withPeople((people) => people.removePerson('erin'), app.folder)],
    ] as const) {
      await app.release({ name }, 'approved')
      await answer(erin, (await offer(app.developer, name, 'erin')).body.id, 'accepted')
      const { body } = await offer(erin, name, 'carol')
      expect((await listNames(carol)).received.map((one) => one.name)).toEqual([name])
      await end()
      expect((await listNames(carol)).received).toEqual([])
      expect(await answer(carol, body.id, 'accepted')).toMatchObject(ended)
      // oxlint-enable no-await-in-loop
    }
  })

  test('is limited in number for each person and day, whatever became of it', async () => {
    const frank = await app.token({ subject: 'frank' })
    await app.submit({ name: 'of-frank' }, frank)
    await answer(frank, (await offer(frank, 'of-frank', 'carol')).body.id, 'withdrawn')
    sql(`WITH RECURSIVE counted (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM counted WHERE i < ${dailyOffers})
      INSERT INTO owner_offers (name, kind, offered_by, person_id, offered_at, expires_at, outcome, ended_at)
      SELECT name, kind, offered_by, person_id, offered_at, expires_at, outcome, ended_at FROM owner_offers, counted
      WHERE name = 'of-frank'`)
    const refused = await offer(frank, 'of-frank', 'carol')
    expect(refused).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
  })

  test('can make a name have twenty owners, and not more', async () => {
    await app.release({ name: 'crowded' }, 'approved')
    const eve = await app.token({ subject: 'eve' })
    const { body } = await offer(app.developer, 'crowded', 'eve')
    sql(`INSERT INTO people (issuer, subject, role, created_at) WITH RECURSIVE counted (i) AS
        (SELECT 2 UNION ALL SELECT i + 1 FROM counted WHERE i < ${maxOwners})
        SELECT 'skilldock', 'many-' || i, 'developer', '2026-01-01T00:00:00.000Z' FROM counted;
      INSERT INTO name_owners (name, person_id, since, added_by)
      SELECT 'crowded', id, created_at, id FROM people WHERE subject LIKE 'many-%'`)
    expect(await answer(eve, body.id, 'accepted')).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_OWNERS' },
    })
    expect(await offer(app.developer, 'crowded', 'bob')).toMatchObject({ body: { code: 'TOO_MANY_OWNERS' } })
    expect(await ownersOf('crowded')).toHaveLength(maxOwners)
    // A transfer does not add an owner.
    expect((await offer(app.developer, 'crowded', 'bob', 'transfer')).status).toBe(201)
  })
})

describe('a transfer', () => {
  test('that is accepted replaces the owner who offered it, and leaves the others', async () => {
    await sharedName('handed-over')
    const { body } = await offer(bob, 'handed-over', 'carol', 'transfer')
    expect(await ownersOf('handed-over')).toEqual(['Alice', 'Bob'])
    await answer(carol, body.id, 'accepted')
    expect(await ownersOf('handed-over')).toEqual(['Alice', 'Carol'])
    expect(await publishAs(bob, 'handed-over', '2.0.0')).toBe('NAME_TAKEN')
    expect(await publishAs(carol, 'handed-over', '2.0.0')).toBe('published')
  })

  test('by an administrator needs a reason, replaces all owners and withdraws all offers', async () => {
    await sharedName('taken')
    const open = (await offer(bob, 'taken', 'rita')).body
    expect(await transfer('taken', 'carol', 'short')).toMatchObject({ status: 400 })
    expect(await transfer('no-such-name', 'carol')).toMatchObject({ status: 404 })
    expect(await transfer('taken', 'no-such-person')).toMatchObject({ status: 404 })
    expect(await ownersOf('taken')).toEqual(['Alice', 'Bob'])
    expect(await transfer('taken', 'carol')).toMatchObject({ status: 200 })
    expect(await transfer('taken', 'carol')).toMatchObject({ status: 409, body: { code: 'ALREADY_OWNER' } })
    expect(await ownersOf('taken')).toEqual(['Carol'])
    expect(await publishAs(app.developer, 'taken', '2.0.0')).toBe('NAME_TAKEN')
    expect(await answer(app.administrator, open.id, 'accepted')).toMatchObject({ status: 409 })
    const { body } = await rita.get<NameOwners>('/names/taken/owners')
    expect(body.offers).toEqual([])
    expect(body.owners.map(({ person, reason }) => [person.publisher, reason])).toEqual([
      ['Carol', 'The owner asked for it by mail.'],
    ])
  })

  test('by an administrator is refused to others', async () => {
    await app.release({ name: 'kept' }, 'approved')
    const alice = await signIn(app, 'alice')
    for (const reply of [
      await alice.send('POST', '/names/kept/transfer', { to: 'bob', reason: 'I would like to have it.' }),
      await alice.get('/names/kept/owners'),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await ownersOf('kept')).toEqual(['Alice'])
  })
})

describe('leaving', () => {
  test('is possible as long as another owner with access stays', async () => {
    await sharedName('left')
    expect(await leave(carol, 'left')).toMatchObject({ status: 403, body: { code: 'NOT_OWNER' } })
    expect((await leave(app.developer, 'left')).status).toBe(200)
    expect(await ownersOf('left')).toEqual(['Bob'])
    expect(await publishAs(app.developer, 'left', '2.0.0')).toBe('NAME_TAKEN')
    expect(await leave(bob, 'left')).toMatchObject({
      status: 409,
      body: { code: 'LAST_OWNER', error: expect.stringContaining('Transfer it') },
    })
  })

  test('with a removed person as the only other owner is refused; their name stays reserved until it is transferred', async () => {
    const greta = await app.token({ subject: 'greta' })
    await app.submit({ name: 'of-greta' }, greta)
    await sharedName('with-greta')
    await answer(greta, (await offer(app.developer, 'with-greta', 'greta')).body.id, 'accepted')
    await leave(bob, 'with-greta')
    await withPeople((people) => people.removePerson('greta'), app.folder)
    expect(await leave(app.developer, 'with-greta')).toMatchObject({ body: { code: 'LAST_OWNER' } })
    expect(await publishAs(bob, 'of-greta', '2.0.0')).toBe('NAME_TAKEN')
    expect(await transfer('of-greta', 'bob')).toMatchObject({ status: 200 })
    expect(await publishAs(bob, 'of-greta', '2.0.0')).toBe('published')
  })
})

const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

describe('at the same time', () => {
  test('an offer is accepted only once, and either accepted or withdrawn', async () => {
    await app.release({ name: 'raced' }, 'approved')
    const { body } = await offer(app.developer, 'raced', 'bob')
    const accepts = await Promise.all(Array.from({ length: 6 }, () => answer(bob, body.id, 'accepted')))
    expect(statusesOf(accepts)).toEqual([200, 409, 409, 409, 409, 409])
    expect(await ownersOf('raced')).toEqual(['Alice', 'Bob'])
    for (let round = 0; round < 4; round += 1) {
      const { id } = (await offer(app.developer, 'raced', 'carol')).body
      const both = await Promise.all([answer(carol, id, 'accepted'), answer(app.developer, id, 'withdrawn')])
      expect(statusesOf(both)).toEqual([200, 409])
      const isOwner = (await ownersOf('raced')).includes('Carol')
      expect(isOwner).toBe(both[0].status === 200)
      if (isOwner) await leave(carol, 'raced')
      // oxlint-enable no-await-in-loop
    }
  })

  test('the last two owners cannot both leave', async () => {
    await sharedName('left-by-both')
    const both = await Promise.all([leave(app.developer, 'left-by-both'), leave(bob, 'left-by-both')])
    expect(statusesOf(both)).toEqual([200, 409])
    expect(await ownersOf('left-by-both')).toHaveLength(1)
  })

  test('a release that is submitted during a transfer belongs to the owner at that moment, or is refused', async () => {
    await app.release({ name: 'contested' }, 'approved')
    for (let round = 0; round < 4; round += 1) {
      const [before] = await Promise.all([
        publishAs(app.developer, 'contested', `2.${round}.0`),
        transfer('contested', 'bob'),
      ])
      expect(await publishAs(app.developer, 'contested', `3.${round}.0`)).toBe('NAME_TAKEN')
      expect(['published', 'NAME_TAKEN']).toContain(before)
      await transfer('contested', 'alice')
    }
  })
})

test('a name that looks like one of an owner who joined is checked again', async () => {
  await app.release({ ...goodManifest, name: 'parse-dates' }, 'approved')
  const id = await app.submit({ ...goodManifest, name: 'parse-date' }, bob)
  const findings = async (): Promise<string[]> =>
    ((await getDeskRelease(rita, id)).checks?.findings ?? []).map(({ title }) => title)
  const before = await findings()
  expect(before.join()).toContain('parse-dates')
  await answer(bob, (await offer(app.developer, 'parse-dates', 'bob')).body.id, 'accepted')
  await until('the finding is gone', async () => (await findings()).length === before.length - 1)
})

test('the same module in a release of a co-owner is not reported as that of another publisher', async () => {
  const module = await quietModule(77)
  await sharedName('same-bytes')
  await app.submit({ name: 'same-bytes', version: '1.1.0' }, app.developer, module)
  const reported = async (change: { name: string; version: string }): Promise<number> => {
    const id = await app.submit(change, bob, module)
    const found = (await getDeskRelease(rita, id)).checks?.findings ?? []
    return found.filter(({ check }) => check === 'module-copied').length
  }
  expect(await reported({ name: 'same-bytes', version: '1.2.0' })).toBe(0)
  expect(await reported({ name: 'of-bob-alone', version: '1.0.0' })).toBe(1)
})

test('every change is an entry of the transparency log, without names of skills or people', async () => {
  const read = async (): Promise<string[]> => {
    const database = new Sqlite(dataPaths(app.folder).database, { readonly: true })
    try {
      return database.prepare<[], string>('SELECT entry FROM log_entries ORDER BY idx').pluck().all()
    } finally {
      database.close()
    }
  }
  const { length } = await read()
  await app.submit({ name: 'in-the-log' })
  await answer(bob, (await offer(app.developer, 'in-the-log', 'bob')).body.id, 'declined')
  await answer(bob, (await offer(app.developer, 'in-the-log', 'bob', 'transfer')).body.id, 'accepted')
  await transfer('in-the-log', 'carol')
  const entries = (await read()).slice(length)
  expect(entries.map((entry) => (JSON.parse(entry) as { type: string }).type)).toEqual([
    'owner.added',
    'release.submitted',
    'offer.made',
    'offer.declined',
    'offer.made',
    'offer.accepted',
    'owner.ended',
    'owner.added',
    'owner.ended',
    'owner.added',
  ])
  const { body } = await rita.get<{ items: AuditEntry[] }>('/history?kind=owners&about=in-the-log')
  expect(body.items.map(({ kind, person, why }) => [kind, person, why]).slice(0, 2)).toEqual([
    ['owner.added', 'rita', 'The owner asked for it by mail.'],
    ['owner.ended', 'rita', null],
  ])
  expect(body.items.map(({ kind }) => kind)).toContain('offer.declined')
  for (const hidden of ['in-the-log', 'bob', 'Bob', 'mail']) expect(entries.join('\n')).not.toContain(hidden)
})
