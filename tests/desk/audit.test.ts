import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { databaseUnavailable } from '../../src/server/db/database-errors.ts'
import { withOrigin } from '../../src/server/db/log/origin.ts'
import { createAccessRetention } from '../../src/server/domains/identity/access-retention.service.ts'
import { createRefusedSignIns } from '../../src/server/domains/identity/refused-sign-ins.service.ts'
import { releaseRepository } from '../../src/server/domains/releases/releases.repository.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import type { PersonListRow } from '../../src/shared/contracts/desk-people.ts'
import { deskClient, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { decideProject, publishPost, startTestContent, submitProject } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { call } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

let app: TestContent
let rita: DeskClient
beforeAll(async () => {
  // Anonymous clients come from documentation addresses.
  app = await startTestContent({ config: { undoMs: 0, trustProxy: ['127.0.0.1'] } })
  rita = app.desk
})
afterAll(() => app.stop())

const list = async (query: string): Promise<AuditEntry[]> =>
  (await rita.get<{ items: AuditEntry[] }>(`/history?${query}`)).body.items
const newest = async (query: string): Promise<AuditEntry> => {
  const [entry] = await list(query)
  if (entry === undefined) throw new Error(`no event for ${query}`)
  return entry
}
const atDesk = { person: 'rita', channel: 'desk', address: '127.0.0.1' }

const addPerson = async (subject: string): Promise<number> =>
  (await rita.send<PersonListRow>('POST', '/people', { subject, name: 'Nia', role: 'developer' })).body.id

/** A request with an invalid token from an address. */
const refused = async (address: string): Promise<number> =>
  (
    await fetch(`${app.api}/mine`, {
      headers: { authorization: 'Bearer not.a.token', 'x-forwarded-for': address },
    })
  ).status

describe('the audit log has', () => {
  test('every change of a person, their role and their tokens', async () => {
    const id = await addPerson('nia')
    await rita.send('PATCH', `/people/${id}`, { role: 'administrator' })
    await rita.send('POST', `/people/${id}/tokens`, { label: 'laptop', scope: 'publish', days: 7 })
    await rita.send('DELETE', `/people/${id}`)
    const entries = await list('about=nia')
    expect(entries.map(({ kind, changes }) => [kind, changes])).toEqual([
      [
        'token.revoked',
        [
          { field: 'label', from: null, to: 'laptop' },
          { field: 'scope', from: null, to: 'publish' },
        ],
      ],
      [
        'person.removed',
        [
          { field: 'name', from: null, to: 'Nia' },
          { field: 'role', from: null, to: 'administrator' },
          { field: 'removed_at', from: null, to: expect.any(String) },
        ],
      ],
      [
        'token.created',
        [
          { field: 'label', from: null, to: 'laptop' },
          { field: 'scope', from: null, to: 'publish' },
        ],
      ],
      ['person.changed', [{ field: 'role', from: 'developer', to: 'administrator' }]],
      [
        'person.added',
        [
          { field: 'name', from: null, to: 'Nia' },
          { field: 'role', from: null, to: 'developer' },
        ],
      ],
    ])
    for (const entry of entries) expect(entry).toMatchObject({ ...atDesk, entry: expect.any(Number) })
  })

  test('what a command changes', async () => {
    await app.token({ subject: 'command-made' })
    expect(await newest('kind=token.created')).toMatchObject({
      name: 'command-made',
      channel: 'cli',
      personId: null,
      address: null,
    })
  })

  test('sign-in links, sign-ins and ended sessions', async () => {
    const id = await addPerson('olu')
    await rita.send('POST', `/people/${id}/sign-in-link`)
    expect(await newest('about=olu')).toMatchObject({ ...atDesk, kind: 'session.invited', entry: null })
    const olu = await signIn(app, 'olu')
    expect(await newest('kind=session.started')).toMatchObject({
      name: 'olu',
      person: 'Nia',
      personId: id,
      channel: 'desk',
      address: '127.0.0.1',
      changes: [{ field: 'label', from: null, to: expect.any(String) }],
    })
    await olu.send('DELETE', '/session')
    expect(await newest('kind=session.ended')).toMatchObject({ name: 'olu', personId: id })
    await signIn(app, 'olu')
    await rita.send('DELETE', `/people/${id}`)
    expect(await newest('kind=session.ended')).toMatchObject({ ...atDesk, name: 'olu' })
  })

  test('changes of settings', async () => {
    await rita.send('PUT', '/settings', { changes: { undoMs: 0 } })
    expect(await newest('kind=settings')).toMatchObject({
      ...atDesk,
      kind: 'settings.changed',
      changes: [{ field: 'undoMs', from: null, to: '0' }],
    })
  })

  test('posts, projects and their reasons', async () => {
    await publishPost(rita, { slug: 'first-post' })
    expect(await newest('kind=post.published')).toMatchObject({ ...atDesk, name: 'first-post' })
    expect(await newest('kind=post.created')).toMatchObject({ ...atDesk })
    await decideProject(rita, await submitProject(app, { title: 'Lamp' }), 'rejected', 'It has no light.')
    expect(await newest('kind=showcase')).toMatchObject({
      ...atDesk,
      kind: 'project.rejected',
      why: 'It has no light.',
    })
    expect((await list('q=NO%20LIGHT')).map(({ kind }) => kind)).toEqual(['project.rejected'])
  })

  test('decisions of the API and the desk, each with the person who made it', async () => {
    const id = await app.submit({ name: 'decided' })
    await app.decide(id, 'approved')
    expect(await newest('about=decided')).toMatchObject({ kind: 'approved', person: 'rita', channel: 'api' })
  })
})

test('a decision is recorded for the person who made it, not for the one who sets it off', async () => {
  const id = await app.submit({ name: 'set-off' })
  const { personId } = await newest('kind=session.started&q=rita')
  await withDatabase(app, (database) =>
    withOrigin({ person: 1, channel: 'api', address: '198.51.100.7' }, () =>
      database.transact(() => {
        const releases = releaseRepository(database.writer)
        const decision = { releaseId: id, action: 'rejected', reason: 'It was held.' } as const
        releases.updateStatus({ id, status: 'rejected', reviewReason: decision.reason })
        releases.insertDecision({
          ...decision,
          decidedBy: personId ?? 0,
          decidedAt: new Date().toISOString(),
        })
      }),
    ),
  )
  expect(await newest('about=set-off')).toMatchObject({
    kind: 'rejected',
    person: 'rita',
    channel: 'server',
    address: null,
  })
})

test('changes of two requests at the same time are not confused', async () => {
  const origins = ['203.0.113.1', '203.0.113.2'].map(
    (address, person) => ({ person: person + 1, channel: 'api', address }) as const,
  )
  await withPeople(async (people) => {
    const adding = origins.map((origin) =>
      withOrigin(origin, async () => {
        await nextTurn()
        await people.addPerson({ subject: `from-${origin.address}` })
      }),
    )
    await people.addPerson({ subject: 'from-command' })
    await Promise.all(adding)
  }, app.folder)
  expect(await newest('about=from-command')).toMatchObject({ channel: 'cli', address: null })
  for (const { person, address } of origins) {
    expect(await newest(`about=from-${address}`)).toMatchObject({ personId: person, address })
  }
})

describe('refused sign-ins', () => {
  test('of one network are one event with a count, which is not in the transparency log', async () => {
    const before = await withDatabase(app, async ({ reader }) =>
      reader.prepare<[], number>('SELECT count(*) FROM log_entries').pluck().get(),
    )
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '192.0.2.8']) {
      expect(await refused(address)).toBe(401)
    }
    const code = await deskClient(app).send('POST', '/session', { code: 'x'.repeat(43) })
    expect(code.status).toBe(401)
    // Neither of these tries to sign in.
    expect((await call(`${app.api}/mine`)).status).toBe(401)
    expect((await deskClient(app, `Bearer ${'a'.repeat(43)}`).get('/people')).status).toBe(401)

    const entries = await until('they are stored', async () => {
      const found = await list('kind=session.refused')
      return found.reduce((sum, { count }) => sum + count, 0) === 5 ? found : null
    })
    const shown = entries.map(
      ({ channel, address, count, changes }) => `${channel} ${address} ${count} ${changes[0]?.to}`,
    )
    expect(shown.toSorted()).toEqual([
      'api 192.0.2.8 1 TOKEN_INVALID',
      'api 2001:db8:0:0 3 TOKEN_INVALID',
      'desk 127.0.0.1 1 CODE_INVALID',
    ])
    const log = await withDatabase(app, async ({ reader }) =>
      reader.prepare<[], number>('SELECT count(*) FROM log_entries').pluck().get(),
    )
    expect(log).toBe(before)
  })

  test('that could not be committed are stored with the next ones', async () => {
    await withDatabase(app, async (database) => {
      let isFailing = true
      const failing: typeof database = {
        ...database,
        transact: (work) =>
          database.transact(() => {
            const result = work()
            if (isFailing) throw databaseUnavailable()
            return result
          }),
      }
      const refusals = createRefusedSignIns(failing)
      const counts = (): unknown[] =>
        database.reader
          .prepare("SELECT address, count FROM history WHERE address LIKE '198.18.0.%' ORDER BY address")
          .all()
      refusals.count('api', '198.18.0.1', 'TOKEN_INVALID')
      await refusals.save()
      expect(counts()).toEqual([])
      isFailing = false
      refusals.count('api', '198.18.0.1', 'TOKEN_INVALID')
      refusals.count('api', '198.18.0.2', 'TOKEN_INVALID')
      await refusals.save()
      isFailing = true
      refusals.count('api', '198.18.0.2', 'TOKEN_INVALID')
      await refusals.save()
      isFailing = false
      await refusals.save()
      expect(counts()).toEqual([
        { address: '198.18.0.1', count: 2 },
        { address: '198.18.0.2', count: 2 },
      ])
    })
  })

  test('at the end of an hour are stored, even if others are being stored at that moment', async () => {
    await withDatabase(app, async (database) => {
      const gate = Promise.withResolvers<void>()
      const slow: typeof database = {
        ...database,
        async transact(work) {
          await gate.promise
          return database.transact(work)
        },
      }
      let now = 0
      const refusals = createRefusedSignIns(slow, () => now)
      refusals.count('api', '198.18.1.1', 'TOKEN_INVALID')
      const saved = refusals.save()
      refusals.count('api', '198.18.1.2', 'TOKEN_INVALID')
      now += 3_600_000
      refusals.count('api', '198.18.1.3', 'TOKEN_INVALID')
      gate.resolve()
      await saved
      await refusals.save()
      const stored = database.reader
        .prepare("SELECT address FROM history WHERE address LIKE '198.18.1.%' ORDER BY address")
        .pluck()
        .all()
      expect(stored).toEqual(['198.18.1.1', '198.18.1.2', '198.18.1.3'])
    })
  })

  test('from ten thousand networks add a hundred events per hour', async () => {
    await withDatabase(app, async (database) => {
      const count = (): number =>
        database.reader
          .prepare<[], number>("SELECT count(*) FROM history WHERE kind = 'session.refused'")
          .pluck()
          .get() ?? 0
      let now = 0
      const refusals = createRefusedSignIns(database, () => now)
      const flood = async (): Promise<number> => {
        const before = count()
        for (let network = 0; network < 10_000; network += 1) {
          refusals.count('api', `10.0.${Math.floor(network / 256)}.${network % 256}`, 'TOKEN_INVALID')
          if (network % 1000 === 0) await refusals.save()
        }
        await refusals.save()
        return count() - before
      }
      expect(await flood()).toBe(101)
      expect(await flood()).toBe(0)
      now += 3_600_000
      expect(await flood()).toBe(101)
      const total = database.reader
        .prepare<[], number>(
          "SELECT sum(count) FROM history WHERE kind = 'session.refused' AND address IS NULL",
        )
        .pluck()
        .get()
      expect(total).toBe(3 * 9900)
    })
  })
})

test('refused sign-ins are stored for 30 days and addresses for 90', async () => {
  const purgeIn = (days: number) =>
    withDatabase(app, (database) =>
      createAccessRetention(database, () => new Date(Date.now() + days * 86_400_000)).purge(),
    )
  const before = await list('kind=session.refused')
  expect(before.length).toBeGreaterThan(0)
  expect(await purgeIn(29)).toMatchObject({ refusedSignIns: 0, addresses: 0 })
  expect((await purgeIn(31)).refusedSignIns).toBeGreaterThan(0)
  expect(await list('kind=session.refused')).toEqual([])
  const added = await newest('kind=person.added&q=nia')
  expect(added.address).toBe('127.0.0.1')
  expect((await purgeIn(89)).addresses).toBe(0)
  expect((await purgeIn(91)).addresses).toBeGreaterThan(0)
  // The sessions of that time have been deleted too.
  rita = await signIn(app, 'rita')
  expect(await newest('kind=person.added&q=nia')).toEqual({ ...added, address: null })
})
