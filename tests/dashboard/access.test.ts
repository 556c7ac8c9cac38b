import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboardRoutes } from '../../src/shared/contracts/dashboard.ts'
import { dashboardPaths, getJson, startTestDashboard } from '../support/agents/dashboard.ts'
import type { TestDashboard } from '../support/agents/dashboard.ts'

let app: TestDashboard
beforeAll(async () => {
  app = await startTestDashboard()
})
afterAll(() => app.stop())

interface Answer {
  status: number | undefined
  headers: Record<string, unknown>
  body: string
}

/** fetch does not allow setting these headers. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request(`${app.dashboard}${path}`, { method, headers }, (res) => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', (text: string) => (body += text))
      res.on('end', () => resolve({ status: res.statusCode, headers: res.headers, body }))
    })
    req.on('error', reject)
    req.end()
  })
}

test.each(dashboardPaths)('%s needs no token, and HEAD answers like GET without a body', async (path) => {
  const get = await ask(path)
  expect(get.status).toBe(200)
  expect(get.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  expect(Object.keys(get.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  const head = await ask(path, {}, 'HEAD')
  expect(head).toMatchObject({ status: 200, body: '' })
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
})

test.each(dashboardPaths)('%s allows only GET and HEAD', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await ask(path, {}, method)
    expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, 'GET, HEAD'])
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  }
})

test('unknown parameters are ignored', async () => {
  for (const path of dashboardPaths) expect((await ask(`${path}?token=1&since=2026`)).status, path).toBe(200)
})

describe('web pages cannot read it', () => {
  test.each([
    ['an unknown name in Host', { host: 'rebound.example' }, 'HOST_FORBIDDEN'],
    ['a name that only looks local', { host: 'localhost.rebound.example' }, 'HOST_FORBIDDEN'],
    ['the origin null', { origin: 'null' }, 'ORIGIN_FORBIDDEN'],
    ['a foreign origin', { origin: 'https://page.example' }, 'ORIGIN_FORBIDDEN'],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }, 'ORIGIN_FORBIDDEN'],
    [
      'a cross-site navigation',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      'ORIGIN_FORBIDDEN',
    ],
  ])('%s', async (_name, headers, code) => {
    // Rejected before the path is looked up.
    for (const path of [...dashboardPaths, '/api/health', '/openapi.json', '/api/nothing']) {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(path, headers, method)
        expect([path, answer.status, JSON.parse(answer.body)], path).toMatchObject([path, 403, { code }])
        expect(answer.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        })
      }
    }
  })

  test.each([
    { host: 'localhost' },
    { host: '[::1]:80' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('but %o is allowed', async (headers) => {
    for (const path of dashboardPaths)
      expect((await ask(path, headers as Record<string, string>)).status).toBe(200)
  })

  test("the listener's own origin is allowed", async () => {
    expect((await ask('/api/agents', { origin: app.dashboard })).status).toBe(200)
  })
})

test('the registry listener does not serve it', async () => {
  for (const path of dashboardPaths) expect((await getJson(`${app.registry}${path}`)).status, path).toBe(404)
})

test('both listeners describe it in the same OpenAPI document, as served by the local one', async () => {
  const [one, other] = await Promise.all(
    [app.registry, app.dashboard].map((url) => getJson(`${url}/openapi.json`)),
  )
  expect(one?.body).toEqual(other?.body)
  const paths = one?.body['paths'] as Record<
    string,
    { servers: unknown; get: { operationId: string; security: unknown } }
  >
  for (const [operationId, { path }] of Object.entries(dashboardRoutes)) {
    expect(paths[path]).toMatchObject({
      servers: [{ url: app.dashboard }],
      get: { operationId, security: [] },
    })
  }
})

test('requests are not logged, because polling would displace everything else from the log', async () => {
  const before = app.logs.length
  for (const path of dashboardPaths) expect((await ask(path)).status).toBe(200)
  expect(app.logs.slice(before)).toEqual([])
})
