import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
  await app.decide(await app.submit({ name: 'shared' }), 'approved')
})
afterAll(() => app.stop())

/** Asks as a page of another origin does, without its preflight. `fetch` of Node does not send `Origin`. */
const ask = (url: string, method = 'GET', headers: Record<string, string> = {}) =>
  new Promise<{ status: number; allowed: string | undefined; exposed: string | undefined }>(
    (resolve, reject) => {
      const options = { method, headers: { origin: 'https://page.example', ...headers } }
      const sent = request(url, options, (answer) => {
        answer.resume()
        resolve({
          status: answer.statusCode ?? 0,
          allowed: answer.headers['access-control-allow-origin'],
          exposed: answer.headers['access-control-expose-headers'],
        })
      })
      sent.on('error', reject)
      sent.end()
    },
  )

test.each([
  ['/api/marketplace/skills', 200],
  ['/api/marketplace/skills/shared/1.0.0', 200],
  ['/api/marketplace/skills/shared/1.0.0/package', 200],
  ['/api/marketplace/skills/none', 404],
  ['/api/marketplace/skills?offset=x', 400],
  ['/api/blog/feed.xml', 200],
  ['/docs-markdown/site/marketplace.md', 200],
  ['/v2/shared/manifests/1.0.0', 200],
  ['/v2/shared/tags/list?n=1', 200],
  ['/v2/none/tags/list', 404],
  ['/openapi.json', 200],
])('pages of any origin can read %s', async (path, status) => {
  expect(await ask(`${app.registry}${path}`)).toEqual({
    status,
    allowed: '*',
    exposed:
      'Docker-Content-Digest, ETag, Link, RateLimit, RateLimit-Policy, Repr-Digest, Retry-After, X-Request-Id',
  })
})

test.each([
  ['GET', '/api/marketplace/mine'],
  ['GET', '/api/marketplace/review'],
  ['GET', '/api/skilldock/names'],
  ['POST', '/api/marketplace/publish'],
  ['POST', '/api/skilldock/logins'],
])('pages of other origins cannot read %s %s', async (method, path) => {
  const answer = await ask(`${app.registry}${path}`, method, { authorization: `Bearer ${app.developer}` })
  expect(answer.allowed).toBeUndefined()
})

test.each(['/desk/api/state', '/api/health', '/openapi.json', '/api/agents', '/metrics'])(
  'pages of other origins cannot read %s of the local services',
  async (path) => {
    expect((await ask(`${app.dashboard}${path}`)).allowed).toBeUndefined()
    // Without `Origin`, which the local services refuse anyway.
    expect((await fetch(`${app.dashboard}${path}`)).headers.has('access-control-allow-origin')).toBe(false)
  },
)
