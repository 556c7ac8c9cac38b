import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import type { AccessEntry, PersonDetail, PersonListRow } from '../../src/shared/contracts/desk-people.ts'
import { identityRepository } from '../../src/server/domains/identity/identity.repository.ts'
import { deskClient, signIn, signInCode, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

const provider = {
  name: 'Example login',
  // Nothing listens there.
  issuer: 'http://127.0.0.1:9/',
  audience: ['skilldock'],
  jwksUrl: 'http://127.0.0.1:9/keys',
  algorithms: ['RS256' as const],
  nameClaim: ['name'],
  administrators: { subjects: ['boss'], emails: [], claim: { path: ['realm', 'roles'], value: 'admin' } },
  reviewers: { subjects: ['rex'], emails: [] },
}

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ config: { issuers: [provider] } })
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const people = async (): Promise<PersonListRow[]> =>
  (await rita.get<{ items: PersonListRow[] }>('/people')).body.items
const idOf = async (subject: string): Promise<number> =>
  (await people()).find((person) => person.subject === subject)?.id ?? 0
const detail = async (id: number): Promise<PersonDetail> =>
  (await rita.get<PersonDetail>(`/people/${id}`)).body
const add = (subject: string, role = 'developer', name?: string) =>
  rita.send<PersonListRow & { code?: string }>('POST', '/people', { subject, role, ...(name && { name }) })

/** A person of an external issuer, who is added when their token is first used. */
const addExternal = (subject: string, issuer = provider.issuer): Promise<number> =>
  withDatabase(app, (database) =>
    database.transact(() =>
      identityRepository(database.writer).insertPerson({
        issuer,
        subject,
        name: null,
        role: 'administrator',
        createdAt: new Date().toISOString(),
      }),
    ),
  )

describe('people', () => {
  test('are added, and listed with their activity', async () => {
    const added = await add('bea', 'developer', 'Bea B.')
    expect(added).toMatchObject({
      status: 201,
      body: {
        subject: 'bea',
        issuer: 'skilldock',
        name: 'Bea B.',
        role: 'developer',
        removedAt: null,
        lastSeenAt: null,
        releases: 0,
      },
    })
    const token = await app.token({ subject: 'bea' })
    await app.submit({ name: 'by-bea' }, token)
    const seen = await until('the use of the token is recorded', async () => {
      const row = (await people()).find(({ subject }) => subject === 'bea')
      return row?.lastSeenAt !== null && row
    })
    expect(seen).toMatchObject({ name: 'Bea B.', releases: 1 })
    expect(await detail(seen.id)).toMatchObject({ person: seen, access: [{ kind: 'token' }], decisions: [] })
  })

  test('cannot be added twice or with an invalid name', async () => {
    expect(await add('rita')).toMatchObject({ status: 409, body: { code: 'PERSON_EXISTS' } })
    for (const body of [
      { subject: 'a b', role: 'developer' },
      { subject: '', role: 'developer' },
      { subject: 'x', role: 'king' },
      { subject: 'x', role: 'developer', name: ' ' },
      { subject: 'x', role: 'developer', id: 1 },
      { subject: 'x' },
    ]) {
      expect((await rita.send('POST', '/people', body)).status, JSON.stringify(body)).toBe(400)
    }
  })

  test('can change name and role, and releases and sessions show it immediately', async () => {
    const { body: carl } = await add('carl')
    await app.submit({ name: 'by-carl' }, await app.token({ subject: 'carl' }))
    const session = await signIn(app, 'carl')
    expect((await session.get('/people')).status).toBe(403)
    const changed = await rita.send('PATCH', `/people/${carl.id}`, { name: 'Carl C.', role: 'administrator' })
    expect(changed).toMatchObject({
      status: 200,
      body: { id: carl.id, name: 'Carl C.', role: 'administrator' },
    })
    expect((await session.get('/people')).status).toBe(200)
    const { body } = await rita.get<{ items: { publisher: string }[] }>('/releases?q=by-carl')
    expect(body.items).toMatchObject([{ publisher: 'Carl C.' }])
    await rita.send('PATCH', `/people/${carl.id}`, { role: 'developer' })
    expect(await detail(carl.id)).toMatchObject({ person: { name: 'Carl C.', role: 'developer' } })
    expect((await session.get('/people')).status).toBe(403)
  })

  test('can be removed: tokens and sessions end immediately, releases stay', async () => {
    const { body: dora } = await add('dora')
    const token = await app.token({ subject: 'dora' })
    await app.submit({ name: 'by-dora' }, token)
    const session = await signIn(app, 'dora')
    const code = await signInCode(app, 'dora')
    expect(await rita.send('DELETE', `/people/${dora.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await session.get('/own/releases')).status).toBe(401)
    expect((await call(`${app.api}/mine`, { token })).status).toBe(401)
    expect((await deskClient(app).send('POST', '/session', { code })).status).toBe(401)
    const { person, access } = await detail(dora.id)
    expect(person).toMatchObject({ removedAt: expect.any(String), releases: 1 })
    expect(
      access.map(({ kind, endedAt }) => `${kind} ${endedAt === null ? 'good' : 'ended'}`).toSorted(),
    ).toEqual(['session ended', 'token ended'])
    const order = (await people()).map(({ removedAt }) => removedAt === null)
    expect(order).toEqual(order.toSorted((a, b) => Number(b) - Number(a)))
    for (const [method, path, body] of [
      ['DELETE', '', undefined],
      ['PATCH', '', { name: 'D' }],
      ['POST', '/tokens', { label: 'x', scope: null, days: 1 }],
      ['POST', '/sign-in-link', undefined],
    ] as const) {
      expect((await rita.send(method, `/people/${dora.id}${path}`, body)).status, `${method} ${path}`).toBe(
        404,
      )
    }
    expect(await add('dora')).toMatchObject({ status: 201, body: { id: dora.id } })
  })

  test('that do not exist are 404', async () => {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'D' }],
      ['DELETE', '', undefined],
      ['POST', '/tokens', { label: 'x', scope: null, days: 1 }],
      ['POST', '/sign-in-link', undefined],
      ['DELETE', '/access/token/x', undefined],
    ] as const) {
      const address = `/people/99999${path}`
      const reply = method === 'GET' ? await rita.get(address) : await rita.send(method, address, body)
      expect(reply, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
  })

  test('of a provider are listed too; it manages their names, roles and tokens', async () => {
    const id = await addExternal('boss')
    expect((await people()).find((person) => person.id === id)).toMatchObject({ issuer: provider.issuer })
    for (const [method, path, body] of [
      ['PATCH', '', { role: 'developer' }],
      ['POST', '/tokens', { label: 'x', scope: null, days: 1 }],
    ] as const) {
      const reply = await rita.send(method, `/people/${id}${path}`, body)
      expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    }
    const boss = await signIn(app, 'boss')
    expect((await boss.get('/people')).status).toBe(200)
    expect((await boss.send('POST', '/own/tokens', { label: 'x', scope: null, days: 1 })).status).toBe(400)
    expect((await rita.send('DELETE', `/people/${id}`)).status).toBe(200)
    expect((await boss.get('/own/releases')).status).toBe(401)
  })

  test('of a provider that was removed from the settings have no session', async () => {
    await addExternal('left', 'https://gone.example')
    const left = await signIn(app, 'left')
    expect((await left.get('/own/releases')).status).toBe(401)
  })
})

test('the last administrator cannot be removed or made a developer', async () => {
  const other = await startTestRegistry()
  try {
    const client = await signIn(other, 'rita')
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { role: 'developer' }],
    ] as const) {
      const reply = await client.send(method, '/people/2', body)
      expect(reply).toMatchObject({ status: 409, body: { code: 'LAST_ADMINISTRATOR' } })
    }
  } finally {
    await other.stop()
  }
})

describe('access', () => {
  const order = { label: 'the build', scope: 'publish', days: 7 }

  test('is granted by a token that is shown once and never stored', async () => {
    const id = await idOf('alice')
    const reply = await rita.send<{ token: string; access: AccessEntry }>(
      'POST',
      `/people/${id}/tokens`,
      order,
    )
    expect(reply).toMatchObject({
      status: 201,
      body: {
        access: { kind: 'token', label: 'the build', scope: 'publish', endedAt: null, current: false },
      },
    })
    const { token, access } = reply.body
    expect(Date.parse(access.expiresAt ?? '') - Date.now()).toBeGreaterThan(7 * 86_400_000 - 5000)
    expect((await call(`${app.api}/mine`, { token })).status).toBe(200)
    const shown = await detail(id)
    expect(JSON.stringify(shown)).not.toContain(token.split('.')[2])
    expect(shown.access.find((one) => one.id === access.id)).toMatchObject({
      label: 'the build',
      scope: 'publish',
    })

    const mine = await signIn(app, 'alice')
    const own = await mine.send<{ token: string }>('POST', '/own/tokens', {
      label: 'all',
      scope: null,
      days: 1,
    })
    expect(own.status).toBe(201)
    expect((await call(`${app.api}/mine`, { token: own.body.token })).status).toBe(200)
  })

  test.each([
    { ...order, days: 0 },
    { ...order, days: 3651 },
    { ...order, days: 1.5 },
    { ...order, label: '' },
    { ...order, label: 'a\nb' },
    { ...order, scope: 'all' },
    { label: 'x', days: 1 },
  ])('cannot be granted by %j', async (body) => {
    expect((await rita.send('POST', '/own/tokens', body)).status).toBe(400)
    expect((await rita.send('POST', `/people/1/tokens`, body)).status).toBe(400)
  })

  test('is listed with valid tokens and sessions first, newest first, and marks the current session', async () => {
    await add('finn')
    const first = await signIn(app, 'finn')
    const second = await signIn(app, 'finn')
    const issued = await second.send<{ access: AccessEntry }>('POST', '/own/tokens', order)
    await second.send('DELETE', `/own/access/token/${issued.body.access.id}`)
    const { items } = (await first.get<{ items: AccessEntry[] }>('/own/access')).body
    expect(items.map(({ kind, endedAt, current }) => [kind, endedAt === null, current])).toEqual([
      ['session', true, false],
      ['session', true, true],
      ['token', false, false],
    ])
    expect((await detail(await idOf('finn'))).access.some(({ current }) => current)).toBe(false)
  })

  test('can be revoked by its owner and by an administrator, immediately', async () => {
    const { body: gina } = await add('gina')
    const sessions = [await signIn(app, 'gina'), await signIn(app, 'gina'), await signIn(app, 'gina')]
    const [keeper, loser, other] = sessions
    const idOfSession = async (client: DeskClient | undefined): Promise<string> => {
      const reply = await client?.get<{ items: AccessEntry[] }>('/own/access')
      return reply?.body.items.find(({ current }) => current)?.id ?? ''
    }
    const [losers, others] = [await idOfSession(loser), await idOfSession(other)]
    expect(await keeper?.send('DELETE', `/own/access/session/${losers}`)).toMatchObject({ status: 200 })
    expect((await loser?.get('/own/access'))?.status).toBe(401)
    expect((await rita.send('DELETE', `/people/${gina.id}/access/session/${others}`)).status).toBe(200)
    expect((await other?.get('/own/access'))?.status).toBe(401)
    expect((await keeper?.get('/own/access'))?.status).toBe(200)

    const issued = await keeper?.send<{ token: string; access: AccessEntry }>('POST', '/own/tokens', order)
    const path = `/access/token/${issued?.body.access.id}`
    expect((await rita.send('DELETE', `/people/${gina.id}${path}`)).status).toBe(200)
    expect((await call(`${app.api}/mine`, { token: issued?.body.token ?? '' })).status).toBe(401)
    expect((await rita.send('DELETE', `/people/${gina.id}${path}`)).status).toBe(404)
    expect((await keeper?.send('DELETE', `/own${path}`))?.status).toBe(404)
  })

  test('of another person cannot be revoked', async () => {
    const alice = await signIn(app, 'alice')
    const { items } = (await rita.get<{ items: AccessEntry[] }>('/own/access')).body
    for (const { kind, id } of items) {
      expect((await alice.send('DELETE', `/own/access/${kind}/${id}`)).status).toBe(404)
      expect((await rita.send('DELETE', `/people/${await idOf('alice')}/access/${kind}/${id}`)).status).toBe(
        404,
      )
    }
    for (const path of ['session/x', 'session/0', 'session/1e3', 'token/x', `token/${'x'.repeat(64)}`]) {
      expect((await rita.send('DELETE', `/own/access/${path}`)).status, path).toBe(404)
    }
    for (const path of ['cookie/1', `token/${'x'.repeat(65)}`]) {
      expect((await rita.send('DELETE', `/own/access/${path}`)).status, path).toBe(400)
    }
    expect((await rita.get('/own/access')).status).toBe(200)
  })

  test('is granted by a link that signs in once', async () => {
    const reply = await rita.send<{ url: string; expiresAt: string }>(
      'POST',
      `/people/${await idOf('alice')}/sign-in-link`,
    )
    expect(reply.status).toBe(201)
    const url = new URL(reply.body.url)
    expect(`${url.origin}${url.pathname}${url.search}`).toBe(`${app.dashboard}/desk/`)
    expect(Date.parse(reply.body.expiresAt)).toBeLessThanOrEqual(Date.now() + 5 * 60_000)
    const code = url.hash.slice('#code='.length)
    const client = deskClient(app)
    expect(await client.send('POST', '/session', { code })).toMatchObject({
      status: 200,
      body: { person: { subject: 'alice' } },
    })
    expect((await deskClient(app).send('POST', '/session', { code })).status).toBe(401)
  })
})

describe('providers', () => {
  test('are listed with who has which role', async () => {
    expect((await rita.get('/providers')).body).toEqual({
      items: [
        {
          name: 'Example login',
          issuer: provider.issuer,
          administrators: 'subjects boss; claim realm.roles = admin',
          reviewers: 'subjects rex',
          editors: null,
        },
      ],
    })
  })

  test('are tested by name, and problems are reported', async () => {
    const reply = await rita.send<{ checks: { ok: boolean }[] }>('POST', '/providers/Example%20login/test')
    expect(reply.status).toBe(200)
    expect(reply.body.checks.some(({ ok }) => !ok)).toBe(true)
    expect((await rita.send('POST', '/providers/another/test')).status).toBe(404)
  })
})

describe('a developer', () => {
  test('sees only their own releases, newest first, with review notes and queue position', async () => {
    const hans = await app.token({ subject: 'hans' })
    const ids = [
      await app.submit({ name: 'hans-a' }, hans),
      await app.submit({ name: 'hans-b' }, hans),
      await app.submit({ name: 'hans-c' }, hans),
    ]
    await app.decide(ids[0] ?? 0, 'rejected')
    const client = await signIn(app, 'hans')
    const { body } = await client.get<{ items: OwnRelease[]; total: number }>('/own/releases')
    expect(body.total).toBe(3)
    expect(body.items.map(({ id }) => id)).toEqual(ids.toReversed())
    const [third, second, first] = body.items
    expect(first).toMatchObject({
      status: 'rejected',
      reviewReason: 'It was rejected with good reason.',
      place: null,
    })
    expect(second?.place).toBeGreaterThan(0)
    expect(third?.place).toBe((second?.place ?? 0) + 1)
    const late = await client.get<{ items: OwnRelease[] }>('/own/releases?offset=1')
    // Not the findings: the decision made the pending ones be checked again.
    expect(late.body.items.map(({ id }) => id)).toEqual(ids.toReversed().slice(1))
    expect((await client.get('/own/releases?offset=x')).status).toBe(400)
  })
})
