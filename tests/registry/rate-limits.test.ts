import { afterEach, describe, expect, test } from 'vitest'
import { routeTable } from '../../src/server/composition/route-table.ts'
import type { RouteGroup } from '../../src/server/composition/route-table.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer, TestServerOptions } from '../support/server/server.ts'

let app: TestServer
afterEach(() => app.stop())
const start = async (options: TestServerOptions): Promise<void> => {
  app = await startTestServer(options)
}
const few = { quota: 3, windowSeconds: 60 }

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.registry}${path}`, { headers })
const statusesOf = async (count: number, ask: () => Promise<Response>): Promise<number[]> => {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) statuses.push((await ask()).status)
  return statuses
}

test('searches beyond the limit are 429 with Retry-After and RateLimit, and plain reads go on', async () => {
  await start({ rateLimits: { search: few } })
  const first = await get('/api/marketplace/skills?q=invoice')
  expect([first.status, first.headers.get('RateLimit-Policy'), first.headers.get('RateLimit')]).toEqual([
    200,
    '"search";q=3;w=60, "search-prefix";q=24;w=60',
    '"search";r=2;t=20',
  ])
  expect(await statusesOf(3, () => get('/api/marketplace/skills?offset=50'))).toEqual([200, 200, 429])
  const refused = await get('/skills?q=invoice')
  expect([refused.status, refused.headers.get('RateLimit'), await refused.json()]).toEqual([
    429,
    '"search";r=0;t=60',
    { code: 'TOO_MANY_REQUESTS', error: expect.stringMatching(/^Too many requests from your network/) },
  ])
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(10)
  const plain = await get('/api/marketplace/skills')
  expect([plain.status, plain.headers.get('RateLimit')]).toEqual([200, null])
})

test('lists of tags with parameters count as searches; OCI clients get the code of their specification', async () => {
  await start({ rateLimits: { search: few } })
  expect(await statusesOf(4, () => get('/v2/unknown/tags/list?n=1'))).toEqual([404, 404, 404, 429])
  const refused = await get('/v2/unknown/tags/list?last=1.0.0')
  expect([Number(refused.headers.get('Retry-After')) > 10, await refused.json()]).toEqual([
    true,
    { errors: [{ code: 'TOOMANYREQUESTS', message: expect.stringMatching(/^Too many requests/) }] },
  ])
  expect((await get('/v2/unknown/tags/list')).status).toBe(404)
})

test('each client behind a trusted proxy has its own limit', async () => {
  await start({ rateLimits: { search: few }, config: { trustProxy: ['127.0.0.1'] } })
  const from = (address: string) => () =>
    get('/api/marketplace/skills?q=invoice', { 'X-Forwarded-For': address })
  expect(await statusesOf(4, from('192.0.2.1'))).toEqual([200, 200, 200, 429])
  expect(await statusesOf(4, from('2001:db8::1'))).toEqual([200, 200, 200, 429])
  expect(await statusesOf(1, from('2001:db8::2'))).toEqual([429])
  expect(await statusesOf(1, from('192.0.2.2'))).toEqual([200])
})

test('after too many refused tokens, further ones are refused unread; other requests are not', async () => {
  await start({ rateLimits: { token: few } })
  const token = await app.token({ subject: 'alice' })
  const mine = (authorization: string) => () => get('/api/marketplace/mine', { Authorization: authorization })
  // Valid and missing tokens do not count.
  expect(await statusesOf(5, mine(`Bearer ${token}`))).toEqual(Array.from({ length: 5 }, () => 200))
  expect(await statusesOf(5, () => get('/api/marketplace/mine'))).toEqual(
    Array.from({ length: 5 }, () => 401),
  )
  expect(await statusesOf(4, mine('Bearer x.y.z'))).toEqual([401, 401, 401, 429])
  const refused = await mine(`Bearer ${token}`)()
  expect([refused.status, refused.headers.get('RateLimit')]).toEqual([429, '"token";r=0;t=60'])
  expect((await get('/api/marketplace/skills?q=invoice')).status).toBe(200)
})

test('logins and submissions are limited', async () => {
  await start({ rateLimits: { login: few, submission: few } })
  const send = (path: string, body: unknown) => () =>
    fetch(`${app.registry}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect(await statusesOf(4, send('/api/skilldock/logins', { client: 'x' }))).toEqual([201, 201, 201, 429])
  expect(await statusesOf(1, send('/api/skilldock/logins/token', { deviceCode: 'x' }))).toEqual([429])
  const [form, image] = ['/showcase/submit', '/api/showcase/upload-image'] as const
  expect(await statusesOf(2, send(form, {}))).toEqual([400, 400])
  expect(await statusesOf(2, send(image, {}))).toEqual([400, 429])
})

describe('every endpoint of the registry', () => {
  test('that writes or takes a search from anonymous callers has a limit', async () => {
    await start({})
    const groups: RouteGroup[] = Object.values(routeTable)
    const routes = groups
      .filter(({ listeners }) => listeners.includes('registry'))
      .flatMap((group) => Object.values(group.routes))
      .filter(({ access }) => access === 'public')
    const needing = routes.filter(
      ({ method, query }) => method !== 'GET' || Object.hasOwn(query?.shape ?? {}, 'q'),
    )
    expect(needing.length).toBeGreaterThanOrEqual(6)
    expect(needing.filter(({ rateLimit }) => rateLimit === undefined)).toEqual([])
  })

  test('lets fifty searches a second pass for minutes', async () => {
    await start({ checkReplies: false })
    expect((await get('/api/marketplace/skills?q=x')).headers.get('RateLimit-Policy')).toMatch(
      /^"search";q=60000;w=1200,/,
    )
  })
})
