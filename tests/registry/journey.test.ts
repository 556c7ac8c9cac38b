import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { call, manifest, publish, review } from '../support/server/publish.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

let app: TestServer

beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.stop())

test('a submission becomes a verified download, and a revocation removes it', async () => {
  const wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  const developer = await app.token({ subject: 'alice', name: 'Alice' })
  const administrator = await app.token({ subject: 'rita', role: 'administrator' })
  const api = `${app.registry}/api/marketplace`

  const submission = await publish(app.registry, developer, manifest(), wasm)
  expect(submission).toMatchObject({ status: 201, body: { status: 'pending', name: 'upper-case' } })
  expect((await call(`${api}/skills`)).body).toEqual({ items: [] })

  const queue = await call<{ items: unknown[] }>(`${api}/review?status=pending`, { token: administrator })
  expect(queue.body.items).toMatchObject([{ name: 'upper-case', publisher: 'Alice', reviewReason: null }])
  expect((await review(app.registry, administrator, submission.body.id, 'approved')).body).toEqual({
    success: true,
  })

  const download = await fetch(`${api}/skills/upper-case/1.0.0/package`)
  const bytes = Buffer.from(await download.arrayBuffer())
  const release = await call<{ sha256: string }>(`${api}/skills/upper-case`)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(release.body.sha256)

  await review(app.registry, administrator, submission.body.id, 'revoked')
  expect((await fetch(`${api}/skills/upper-case/1.0.0/package`)).status).toBe(404)
  expect((await call(`${api}/skills?q=upper`)).body).toEqual({ items: [] })
})
