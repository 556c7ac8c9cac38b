import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(() => app.stop())

const ask = (path: string, accept: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${app.registry}${path}`, { ...init, headers: { accept, ...init.headers } })
const problem = 'application/problem+json'

test('a client that accepts problem details gets them (RFC 9457)', async () => {
  const response = await ask('/api/marketplace/skills/none', `${problem}, application/json;q=0.5`)
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toBe(problem)
  expect(response.headers.get('vary')).toBe('Accept')
  const { error } = (await (await ask('/api/marketplace/skills/none', '*/*')).json()) as { error: string }
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: error,
    code: 'NOT_FOUND',
  })
})

test('they have the problems of each field and the headers of the error', async () => {
  const invalid = await ask('/api/marketplace/skills?offset=x', problem)
  expect(await invalid.json()).toMatchObject({
    title: 'Bad Request',
    status: 400,
    code: 'VALIDATION_FAILED',
    issues: [{ path: 'offset', message: expect.any(String) }],
  })
  const unauthorized = await ask('/api/marketplace/mine', problem)
  expect(unauthorized.headers.get('www-authenticate')).toBe('Bearer')
  expect(await unauthorized.json()).toMatchObject({
    title: 'Unauthorized',
    status: 401,
    code: 'TOKEN_MISSING',
  })
})

test('their status is that of the answer, also for uploads, which have their own', async () => {
  const response = await ask('/api/blog/upload', problem, { method: 'POST', body: new FormData() })
  const body = (await response.json()) as { status: number }
  expect(response.headers.get('content-type')).toBe(problem)
  expect(body.status).toBe(response.status)
})

test.each(['*/*', 'application/json', 'application/*', `${problem};q=0`, 'application/problem'])(
  'with Accept: %s, an error is an ErrorResponse',
  async (accept) => {
    const response = await ask('/api/marketplace/skills/none', accept)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Object.keys((await response.json()) as object)).toEqual(['error', 'code'])
  },
)
