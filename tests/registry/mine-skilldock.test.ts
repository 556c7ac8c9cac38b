import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import { getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { goodManifest, quietModule } from '../support/fixtures/findings.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

interface Page {
  items: OwnRelease[]
  total: number
}

let app: TestRegistry
let rita: DeskClient
let mira: string
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
  mira = await app.token({ subject: 'mira', name: 'Mira' })
})
afterAll(() => app.stop())

let modules = 0
const submit = async (name: string, token = app.developer, license = 'MIT'): Promise<number> => {
  modules += 1
  return app.submit({ ...goodManifest, name, license }, token, await quietModule(modules))
}
const mine = async (token = app.developer, query = ''): Promise<Page> => {
  const reply = await call<Page>(`${app.registry}/api/skilldock/mine${query}`, { token })
  expect(reply.status).toBe(200)
  return reply.body
}

describe('GET /api/skilldock/mine', () => {
  test('returns status, review notes, findings and position in the queue, newest first, as the desk does', async () => {
    await submit('theirs', mira)
    const rejected = await submit('rejected')
    await app.decide(rejected, 'rejected')
    const pending = await submit('pending', app.developer, 'mit')
    await submit('behind', mira)
    const [finding] = (await getDeskRelease(rita, pending)).checks?.findings ?? []
    const { items, total } = await mine()
    expect(total).toBe(2)
    expect(items).toEqual([
      {
        id: pending,
        name: 'pending',
        version: '1.0.0',
        status: 'pending',
        size: expect.any(Number),
        sha256: expect.stringMatching(/^[a-f0-9]{64}$/),
        createdAt: expect.any(String),
        reviewReason: null,
        place: 2,
        waiting: 3,
        findings: [{ ...finding, check: 'license-unknown', judgement: null }],
        rejectedFor: null,
        submittedBy: null,
        thread: null,
      },
      expect.objectContaining({
        id: rejected,
        status: 'rejected',
        reviewReason: 'It was rejected with good reason.',
        place: null,
        waiting: 3,
        findings: [],
      }),
    ])
    const desk = await (await signIn(app, 'alice')).get<Page>('/own/releases')
    expect(desk.body).toEqual({ items, total })
  })

  test('returns a dismissed finding with the reason, for that name only', async () => {
    await submit('not-dismissed', app.developer, 'mit')
    const id = await submit('dismissed', app.developer, 'mit')
    const [finding] = (await getDeskRelease(rita, id)).checks?.findings ?? []
    const reason = 'It is MIT in lowercase.'
    await rita.send('POST', `/releases/${id}/judgements`, { fingerprint: finding?.fingerprint, reason })
    const [newest, other] = (await mine()).items
    expect(newest?.findings).toMatchObject([
      { check: 'license-unknown', judgement: { reason, judgedBy: 'rita', version: '1.0.0' } },
    ])
    expect(other?.findings).toMatchObject([{ fingerprint: finding?.fingerprint, judgement: null }])
  })

  test('has 50 items per page', async () => {
    const many = await app.token({ subject: 'many', name: 'Many' })
    const ids: number[] = []
    for (let count = 0; count < 52; count += 1) ids.unshift(await submit(`many-${count}`, many))
    const first = await mine(many)
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 50))
    expect(first.total).toBe(52)
    const rest = await mine(many, '?offset=50')
    expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(50))
    const places = [...first.items, ...rest.items].map(({ place }) => place ?? 0)
    expect(places).toEqual(places.toSorted((a, b) => b - a))
    expect(new Set(places).size).toBe(52)
    expect(places[0]).toBe(first.items[0]?.waiting)
  })

  test('requires a token, for which the scope publish is enough', async () => {
    const url = `${app.registry}/api/skilldock/mine`
    expect((await call(url)).status).toBe(401)
    const publish = await app.token({ subject: 'alice', scope: 'publish' })
    expect((await call(url, { token: publish })).status).toBe(200)
    expect((await call(`${url}?offset=x`, { token: publish })).status).toBe(400)
  })
})
