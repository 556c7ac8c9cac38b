import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeGroups } from '../../src/server/composition/route-table.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import { call, manifest } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

interface Operation {
  operationId: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown> }> }
  responses: Record<string, { content: Record<string, unknown> }>
}
interface Document {
  openapi: string
  info: { version: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>> }> }
}

let app: TestRegistry
let document: Document
let id: number

beforeAll(async () => {
  app = await startTestRegistry({ config: { dailySubmissions: 3 } })
  id = await app.release({ name: 'known' }, 'approved')
  document = (await call<Document>(`${app.registry}/openapi.json`)).body
})
afterAll(() => app.stop())

const root = join(import.meta.dirname, '../..')
const methods = ['get', 'post', 'put', 'patch', 'delete']
const operations = (): { method: string; path: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, held]) =>
    methods.flatMap((method) => {
      const operation = held[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    }),
  )

/** The operation that a request matches, according to the paths of the document. */
function operationOf(method: string, url: string): Operation {
  const { pathname } = new URL(url)
  const matching = operations()
    .filter((one) => one.method === method)
    .filter(({ path }) =>
      new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(pathname),
    )
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  const found = matching[0]
  if (found === undefined) throw new Error(`${method} ${pathname} is not in the document`)
  return found.operation
}

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1.0 with the version 0.3.1 and the license Apache-2.0 (9.1)', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('0.3.1')
    expect(document.info.license).toMatchObject({ name: 'Apache-2.0', identifier: 'Apache-2.0' })
    expect(document.servers[0]?.url).toBe(app.registry)
  })

  test('is JSON and byte for byte the same on both listeners', async () => {
    const replies = await Promise.all(
      [app.registry, app.dashboard].map((url) => fetch(`${url}/openapi.json`)),
    )
    const texts = await Promise.all(replies.map((reply) => reply.text()))
    expect(texts[1]).toBe(texts[0])
    for (const reply of replies) {
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  test('passes an OpenAPI linter without errors or warnings', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-openapi-'))
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    const command = [join(root, 'node_modules/@redocly/cli/bin/cli.js')].concat(
      'lint',
      file,
      '--config',
      join(root, 'tests/support/redocly.yaml'),
      '--format',
      'json',
    )
    const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const lint = promisify(execFile)(process.execPath, command, { env: environment, maxBuffer: 16_777_216 })
    const { stdout } = await lint.catch((error: { stdout: string }) => error)
    await rm(folder, { recursive: true, force: true })
    const report = JSON.parse(stdout) as { totals: Record<string, number>; problems: { message: string }[] }
    expect(report.problems.map(({ message }) => message)).toEqual([])
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 })
  })
})

describe('the operations', () => {
  test('are all those of section 4 except the install script', () => {
    const names = operations().map(({ method, path }) => `${method} ${path}`)
    expect(names).toEqual(
      expect.arrayContaining([
        'GET /api/marketplace/skills',
        'GET /api/marketplace/skills/{name}',
        'GET /api/marketplace/skills/{name}/{version}',
        'GET /api/marketplace/skills/{name}/{version}/package',
        'GET /api/marketplace/skills/{name}/{version}/manifest',
        'GET /api/marketplace/mine',
        'GET /api/marketplace/review',
        'GET /api/marketplace/review/{name}/{version}/package',
        'POST /api/marketplace/publish',
        'POST /api/marketplace/review/{id}',
        'GET /api/blog/{slug}.md',
        'GET /docs-markdown/blog/{slug}.md',
        'GET /docs-markdown/showcase/{slug}.md',
        'GET /docs-markdown/site/marketplace.md',
        'GET /docs-markdown/marketplace/{name}/{version}.md',
        'GET /api/health',
        'GET /api/sitemap.xml',
        'GET /openapi.json',
        'GET /api/blog/feed.xml',
        'GET /api/blog/sitemap.xml',
        'POST /api/blog/upload-image',
        'POST /api/showcase/upload-image',
        'GET /api/agents',
        'GET /api/supervisors',
        'GET /api/cost',
        'GET /api/audit',
        'GET /api/trust',
        'GET /api/broker',
        'GET /api/edge',
        'GET /api/skilldock/jwks.json',
      ]),
    )
  })

  test('are those of the contracts, with the same names', () => {
    const served = routeGroups.filter(([, { listeners }]) => listeners.some((one) => one !== 'remote desk'))
    for (const [key, { method, path }] of served.flatMap(([, { routes }]) => Object.entries(routes))) {
      const described = document.paths[path]?.[method.toLowerCase()]?.operationId
      expect(described?.replace(/InDesk$/, ''), `${method} ${path}`).toBe(key)
    }
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('are all mounted', async () => {
    const filled = { '{name}': 'known', '{version}': '1.0.0', '{id}': '1' }
    const onRegistry = operations().filter(
      ({ path }) => !/^\/(desk|metrics$|api\/(agents|supervisors|cost|audit|trust|broker|edge))/.test(path),
    )
    const answers = await Promise.all(
      onRegistry.map(async ({ method, path }) => {
        const address = path.replaceAll(/\{[a-z]+\}/g, (part) => filled[part as keyof typeof filled] ?? 'x')
        const response = await fetch(`${app.registry}${address}`, { method })
        const text = await response.text()
        return { path, missing: text.includes('There is nothing at') || response.status === 405 }
      }),
    )
    expect(answers.filter(({ missing }) => missing)).toEqual([])
  })

  test('require a bearer token exactly where section 5 says so', () => {
    const secured = operations()
      .filter(({ path }) => path.startsWith('/api/marketplace'))
      .filter(({ operation }) => operation.security.length > 0)
    expect(secured.map(({ operation }) => operation.operationId).toSorted()).toEqual([
      'inspectPackage',
      'listOwnReleases',
      'listReviews',
      'reviewRelease',
      'submitRelease',
    ])
    for (const { operation } of secured) {
      expect(operation.security).toEqual([{ bearer: [] }])
      expect(Object.keys(operation.responses)).toContain('401')
    }
  })

  test('declare the limits of sections 2 and 8', () => {
    const parameter = (path: string, name: string): Record<string, unknown> | undefined =>
      document.paths[path]?.['get']?.parameters?.find((one) => one.name === name)?.schema
    const offset = { type: 'integer', minimum: 0, maximum: 100_000, default: 0 }
    for (const path of ['skills', 'mine', 'review']) {
      expect(parameter(`/api/marketplace/${path}`, 'offset')).toEqual(offset)
    }
    expect(parameter('/api/marketplace/skills', 'q')).toEqual({ type: 'string', maxLength: 100 })
    const fields = document.components.schemas['SkillManifest']?.properties
    expect(fields?.['description']).toMatchObject({ type: 'string', minLength: 10, maxLength: 500 })
    expect(fields?.['readme']).toMatchObject({ type: 'string', minLength: 20, maxLength: 20_000 })
    expect(fields?.['license']).toMatchObject({ type: 'string', minLength: 1, maxLength: 100 })
    expect(fields?.['examples']).toMatchObject({ type: 'array', minItems: 1, maxItems: 3 })
    expect(fields?.['name']).toMatchObject({ maxLength: 64, pattern: '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$' })
    const release = document.components.schemas['RegistryVersion']?.properties
    expect(release?.['size']).toMatchObject({ type: 'integer', minimum: 8, maximum: 16_777_216 })
    expect(release?.['id']).toMatchObject({ type: 'integer', maximum: 9_007_199_254_740_991 })
    const reason = document.components.schemas['RegistryReview']?.properties['reason']
    expect(reason).toMatchObject({ type: 'string', minLength: 10, maxLength: 2000 })
    const submission = document.paths['/api/marketplace/publish']?.['post']?.requestBody
    expect(submission?.content['multipart/form-data']?.schema['properties']).toMatchObject({
      manifest: { type: 'string', maxLength: 25_000 },
    })
  })

  test('declare the statuses of section 7', () => {
    // Those with a token can also be 429, after too many refused tokens (docs/decisions/022).
    const expected: Record<string, string[]> = {
      listSkills: ['200', '400', '429', '503'],
      getLatestRelease: ['200', '400', '404', '503'],
      getRelease: ['200', '400', '404', '503'],
      downloadPackage: ['200', '304', '400', '404', '429', '503'],
      getManifest: ['200', '400', '404', '503'],
      listOwnReleases: ['200', '400', '401', '403', '429', '503'],
      listReviews: ['200', '400', '401', '403', '429', '503'],
      inspectPackage: ['200', '304', '400', '401', '403', '404', '429', '503'],
      submitRelease: ['201', '400', '401', '403', '409', '429', '503'],
      reviewRelease: ['200', '400', '401', '403', '404', '409', '429', '503'],
    }
    for (const { operation } of operations().filter(({ path }) => path.startsWith('/api/marketplace'))) {
      // Any request can get 431 and 500.
      const declared = Object.keys(operation.responses).filter(
        (status) => status !== '431' && status !== '500',
      )
      expect(declared.toSorted(), operation.operationId).toEqual(expected[operation.operationId])
    }
  })
})

test('the endpoints for OCI clients need no token and declare the errors of their specification', () => {
  const described = operations().filter(({ path }) => path.startsWith('/v2/'))
  expect(described.map(({ path }) => path)).toHaveLength(5)
  for (const { operation, path } of described) {
    expect(operation.security, path).toEqual([])
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    const schema = { $ref: '#/components/schemas/OciErrors' }
    for (const [status, { content }] of errors) {
      expect([path, status, content]).toEqual([path, status, { 'application/json': { schema } }])
    }
  }
  expect(document.paths['/v2/{name}/blobs/{digest}']?.['get']?.responses).toMatchObject({
    404: { description: expect.stringContaining('Codes: BLOB_UNKNOWN, NAME_UNKNOWN.') as string },
    429: { description: expect.stringContaining('Codes: TOOMANYREQUESTS.') as string },
  })
})

describe('documents, feeds and sitemaps', () => {
  const described = (path: string): Operation & { deprecated?: boolean } => {
    const operation = document.paths[path]?.['get']
    if (operation === undefined) throw new Error(`${path} is not in the document`)
    return operation
  }

  test('declare the statuses and media types of sections 4.2 and 4.3, and no token', () => {
    const expected: Record<string, [string, ...string[]]> = {
      '/api/blog/{slug}.md': ['text/markdown', '200', '304', '404', '503'],
      '/docs-markdown/blog/{slug}.md': ['text/markdown', '200', '304', '404', '503'],
      '/docs-markdown/showcase/{slug}.md': ['text/markdown', '200', '304', '404', '503'],
      '/docs-markdown/site/marketplace.md': ['text/markdown', '200', '304', '400', '503'],
      '/docs-markdown/marketplace/{name}/{version}.md': ['text/markdown', '200', '304', '400', '404', '503'],
      '/api/blog/feed.xml': ['application/atom+xml', '200', '304', '503'],
      '/api/sitemap.xml': ['application/xml', '200', '304', '503'],
      '/openapi.json': ['application/json', '200', '304', '503'],
      '/api/health': ['application/json', '200', '503'],
    }
    for (const [path, [type, ...statuses]] of Object.entries(expected)) {
      const { responses, security } = described(path)
      const declared = Object.keys(responses).filter((status) => status !== '431' && status !== '500')
      expect(declared.toSorted(), path).toEqual(statuses)
      expect(Object.keys(responses['200']?.content ?? {}), path).toEqual([type])
      expect(security, path).toEqual([])
    }
  })

  test('the old sitemap is deprecated and only redirects', () => {
    const { deprecated, responses } = described('/api/blog/sitemap.xml')
    expect(deprecated).toBe(true)
    expect(Object.keys(responses).filter((status) => /^[23]/.test(status))).toEqual(['308'])
    expect(responses['308']).toMatchObject({ headers: { Location: { required: true } } })
  })
})

describe('every observed status and media type is declared', () => {
  const review = { action: 'approved', reason: 'long enough' }
  const submission = (name: string): BodyInit =>
    multipartBody([manifestPart(manifest({ name })), wasmPart(app.wasm)])

  const requests: [
    number,
    string,
    string,
    { as?: 'developer' | 'administrator'; json?: unknown; name?: string },
  ][] = [
    [200, 'GET', 'skills', {}],
    [400, 'GET', 'skills?offset=x', {}],
    [200, 'GET', 'skills/known', {}],
    [400, 'GET', 'skills/KNOWN', {}],
    [400, 'GET', 'skills/%zz', {}],
    [404, 'GET', 'skills/unknown', {}],
    [200, 'GET', 'skills/known/1.0.0', {}],
    [404, 'GET', 'skills/known/2.0.0', {}],
    [200, 'GET', 'skills/known/1.0.0/manifest', {}],
    [400, 'GET', 'skills/known/1/manifest', {}],
    [404, 'GET', 'skills/known/2.0.0/manifest', {}],
    [200, 'GET', 'skills/known/1.0.0/package', {}],
    [404, 'GET', 'skills/known/2.0.0/package', {}],
    [200, 'GET', 'mine', { as: 'developer' }],
    [401, 'GET', 'mine', {}],
    [400, 'GET', 'mine?offset=x', { as: 'developer' }],
    [200, 'GET', 'review', { as: 'administrator' }],
    [400, 'GET', 'review?status=x', { as: 'administrator' }],
    [401, 'GET', 'review', {}],
    [403, 'GET', 'review', { as: 'developer' }],
    [200, 'GET', 'review/known/1.0.0/package', { as: 'administrator' }],
    [403, 'GET', 'review/known/1.0.0/package', { as: 'developer' }],
    [404, 'GET', 'review/known/2.0.0/package', { as: 'administrator' }],
    [400, 'POST', 'review/0', { as: 'administrator', json: review }],
    [400, 'POST', 'review/ID', { as: 'administrator', json: {} }],
    [401, 'POST', 'review/ID', { json: review }],
    [403, 'POST', 'review/ID', { as: 'developer', json: review }],
    [404, 'POST', 'review/99999', { as: 'administrator', json: review }],
    [409, 'POST', 'review/ID', { as: 'administrator', json: review }],
    [200, 'POST', 'review/ID', { as: 'administrator', json: { ...review, action: 'revoked' } }],
    [400, 'POST', 'publish', { as: 'developer', json: {} }],
    [401, 'POST', 'publish', {}],
    [403, 'POST', 'publish', { as: 'administrator', name: 'known' }],
    [409, 'POST', 'publish', { as: 'developer', name: 'known' }],
    [201, 'POST', 'publish', { as: 'developer', name: 'second' }],
    [201, 'POST', 'publish', { as: 'developer', name: 'third' }],
    [429, 'POST', 'publish', { as: 'developer', name: 'fourth' }],
  ]

  test('for requests to every part of the registry', async () => {
    for (const [status, method, path, { as, json, name }] of requests) {
      const url = `${app.api}/${path.replace('ID', String(id))}`
      // In sequence, because some of them change what the next one gets.
      const response = await fetch(url, {
        method,
        headers: {
          ...(as === undefined ? {} : { authorization: `Bearer ${app[as]}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(name === undefined ? {} : { 'content-type': multipartType }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(name === undefined ? {} : { body: submission(name) }),
      })
      await response.arrayBuffer()
      expect(response.status, `${method} ${path}`).toBe(status)
      const declared = operationOf(method, url).responses[String(status)]
      expect(declared, `${method} ${path} declares ${status}`).toBeDefined()
      const type = response.headers.get('content-type')?.split(';')[0] ?? ''
      expect(Object.keys(declared?.content ?? {}), `${method} ${path} ${status}`).toContain(type)
    }
  })

  test('for the endpoints for programs', async () => {
    for (const path of ['/api/health', '/openapi.json', '/api/skilldock/jwks.json']) {
      const response = await fetch(`${app.registry}${path}`)
      const declared = operationOf('GET', `${app.registry}${path}`).responses[String(response.status)]
      expect(Object.keys(declared?.content ?? {})).toEqual(['application/json'])
    }
  })
})
