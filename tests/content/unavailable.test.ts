import { rename } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { approvedProject, draftPost, publishPost, startTestContent } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'

let app: TestContent
beforeAll(async () => {
  app = await startTestContent()
})
afterAll(() => app.stop())

interface Outcome {
  status: number
  code: string | undefined
  retryAfter: boolean
}

async function get(path: string): Promise<Outcome> {
  const response = await fetch(app.registry + path, { redirect: 'manual' })
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const text = await response.text()
  return {
    status: response.status,
    code: isJson ? (JSON.parse(text) as { code?: string }).code : undefined,
    retryAfter: Number(response.headers.get('retry-after')) > 0,
  }
}

const unavailable: Outcome = { status: 503, code: 'DATABASE_UNAVAILABLE', retryAfter: true }

test('without the database file, every document is 503, even cached ones, until the file is back', async () => {
  await app.release({ name: 'known' }, 'approved')
  const post = await publishPost(app.desk, { slug: 'known' })
  const draft = await draftPost(app.desk)
  const { id: project } = await approvedProject(app, { title: 'Known' })
  const documents = [
    '/api/blog/known.md',
    '/docs-markdown/blog/known.md',
    '/docs-markdown/showcase/known.md',
    '/docs-markdown/site/marketplace.md',
    '/docs-markdown/marketplace/known/1.0.0.md',
    '/api/blog/feed.xml',
    '/api/sitemap.xml',
    '/llms.txt',
  ]
  const statuses = async (): Promise<number[]> =>
    (await Promise.all(documents.map(get))).map(({ status }) => status)
  expect(new Set(await statuses())).toEqual(new Set([200]))

  const { database } = dataPaths(app.folder)
  await rename(database, `${database}.away`)
  try {
    await vi.waitFor(async () => expect(await get('/api/blog/known.md')).toEqual(unavailable), {
      timeout: 30_000,
      interval: 20,
    })
    for (const path of [
      ...documents,
      // Whether these exist is unknown.
      '/api/blog/unknown.md',
      '/docs-markdown/showcase/unknown.md',
      '/docs-markdown/marketplace/unknown/1.0.0.md',
      '/api/sitemap/1.xml',
    ]) {
      expect(await get(path), path).toEqual(unavailable)
    }
    // Requests that do not need the database still work.
    expect((await get('/docs-markdown/marketplace/Bad/1.0.0.md')).status).toBe(400)
    expect((await get('/docs-markdown/site/marketplace.md?offset=x')).status).toBe(400)
    expect((await get('/robots.txt')).status).toBe(200)
    expect((await get('/openapi.json')).status).toBe(200)
    expect((await get('/api/health')).status).toBe(200)
    expect((await get('/api/blog/sitemap.xml')).status).toBe(308)
    const save = { revision: draft.revision, content: { ...draft.content, title: 'Lost' } }
    const refusedWrites = await Promise.all([
      app.desk.send('PUT', `/posts/${draft.id}`, save),
      app.desk.send('POST', `/posts/${post.id}/unpublish`),
      app.desk.send('PUT', `/projects/${project}/featured`, { featured: true }),
    ])
    expect(refusedWrites.map(({ status }) => status)).toEqual([503, 503, 503])
  } finally {
    await rename(`${database}.away`, database)
  }
  await vi.waitFor(async () => expect(new Set(await statuses())).toEqual(new Set([200])), {
    timeout: 30_000,
    interval: 20,
  })
  // Nothing was stored.
  expect((await app.desk.get(`/posts/${draft.id}`)).body).toMatchObject({ title: draft.title })
})
