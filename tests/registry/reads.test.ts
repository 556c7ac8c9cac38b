import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { categories } from '../../src/shared/contracts/manifest.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { call } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

const versionFields = [
  'createdAt',
  'id',
  'manifest',
  'name',
  'ownerId',
  'publisher',
  'reviewReason',
  'sha256',
  'size',
  'status',
  'version',
]
const manifestFields = [
  'category',
  'description',
  'entrypoint',
  'examples',
  'inputs',
  'license',
  'name',
  'outputs',
  'pricing',
  'readme',
  'runtime',
  'schemaVersion',
  'version',
]

let app: TestRegistry
/** Every approved release, newest submission first. */
let approved: RegistryVersion[]

const hidden = 'Xyzzy and nothing happens.'

const known: Partial<SkillManifest>[] = [
  {
    name: 'json-lint',
    description: 'Checks JSON: 100% of it, "quoted", under_scored, back\\slash and \'single\'.',
    category: 'Validators',
  },
  { name: 'emoji-sort', description: 'Sorts 🦊🐻 and ÅNGSTRÖM into order.', category: 'Data' },
  { name: 'greek', description: 'Turns ΟΔΟΣ into Latin letters.', category: 'Parsers' },
  { name: 'raw-text', description: 'Holds \u0000 zero,\n a line and \uFFFF as they are.', category: 'Other' },
]

beforeAll(async () => {
  app = await startTestRegistry()
  await app.token({ subject: 'zoe', name: "Zoë O'Neil 50%_" })
  const zoe = await app.token({ subject: 'zoe' })
  for (const change of known) {
    // In sequence, because the tests depend on the order of submission.
    await app.release(change, 'approved')
  }
  await app.decide(await app.submit({ name: 'by-zoe' }, zoe), 'approved')
  await app.release({ name: 'hidden-pending', description: hidden })
  await app.release({ name: 'hidden-rejected', description: hidden }, 'rejected')
  await app.release({ name: 'hidden-revoked', description: hidden }, 'approved', 'revoked')
  const fillers = Array.from({ length: 50 }, (_, at) => ({
    name: `filler-${at}`,
    category: categories[at % categories.length] ?? 'Other',
  }))
  await Promise.all([0, 1, 2, 3].map((lane) => fill(fillers.filter((_, at) => at % 4 === lane))))
  // The newest submission of a name is neither its highest version nor the last one approved.
  const high = await app.submit({ name: 'versions', version: '2.0.0' })
  const newest = await app.submit({ name: 'versions', version: '1.0.0' })
  await app.decide(newest, 'approved')
  await app.decide(high, 'approved')
  await app.release({ name: 'versions', version: '3.0.0' })
  await app.release({ name: 'versions', version: '0.9.0' }, 'rejected')
  await app.release({ name: 'versions', version: '0.8.0' }, 'approved', 'revoked')
  approved = await readAll()
})
afterAll(() => app.stop())

async function fill(changes: Partial<SkillManifest>[]): Promise<void> {
  for (const change of changes) await app.release(change, 'approved')
}

/** Reads the administrator's list, so that the public list is compared with another source. */
async function readAll(): Promise<RegistryVersion[]> {
  const pages = await Promise.all(
    [0, 50].map((offset) =>
      call<List>(`${app.api}/review?status=approved&offset=${offset}`, { token: app.administrator }),
    ),
  )
  return pages.flatMap(({ body }) => body.items)
}

const list = async (query: string): Promise<RegistryVersion[]> => {
  const { status, body } = await call<List>(`${app.api}/skills?${query}`)
  expect(status, query).toBe(200)
  expect(Object.keys(body)).toEqual(['items'])
  return body.items
}

const find = async (q: string): Promise<string[]> =>
  (await list(`q=${encodeURIComponent(q)}`)).map(({ name }) => name)

describe('the declared fields (2.1 to 2.3)', () => {
  const assertVersion = (release: RegistryVersion): void => {
    expect(Object.keys(release).toSorted()).toEqual(versionFields)
    expect(Object.keys(release.manifest).toSorted()).toEqual(manifestFields)
    expect(release.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(release.sha256).toMatch(/^[a-f0-9]{64}$/)
    expect(release.size).toBe(app.wasm.length)
    expect(release.ownerId).toBeGreaterThan(0)
  }

  test('each list has only items, and each item has exactly the fields of RegistryVersion', async () => {
    const lists = await Promise.all([
      call<List>(`${app.api}/skills`),
      call<List>(`${app.api}/mine`, { token: app.developer }),
      call<List>(`${app.api}/review`, { token: app.administrator }),
    ])
    for (const { status, body } of lists) {
      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(['items'])
      expect(body.items).toHaveLength(50)
      body.items.forEach(assertVersion)
    }
  })

  test('a release and the latest release are a RegistryVersion, and the manifest is a SkillManifest', async () => {
    const latest = await call<RegistryVersion>(`${app.api}/skills/json-lint`)
    const exact = await call<RegistryVersion>(`${app.api}/skills/json-lint/1.0.0`)
    const manifest = await call<SkillManifest>(`${app.api}/skills/json-lint/1.0.0/manifest`)
    assertVersion(exact.body)
    expect(latest.body).toEqual(exact.body)
    expect(exact.body).toMatchObject({ status: 'approved', publisher: 'Alice' })
    expect(exact.body.reviewReason).toBe('It was approved with good reason.')
    expect(manifest.body).toEqual(exact.body.manifest)
    expect(manifest.body).toMatchObject(known[0] ?? {})
  })

  test('the manifest is byte for byte the one in RegistryVersion and in the list', async () => {
    const text = async (path: string): Promise<string> => (await fetch(`${app.api}/${path}`)).text()
    for (const { name, version } of approved.slice(-6)) {
      const manifest = await text(`skills/${name}/${version}/manifest`)
      const inside = `"manifest":${manifest},"sha256":`
      expect(await text(`skills/${name}/${version}`)).toContain(inside)
      expect(await text(`skills?q=${name}`)).toContain(inside)
    }
  })

  test('a publisher without a display name is shown with the id', async () => {
    const nameless = await app.token({ subject: 'nameless' })
    await app.submit({ name: 'by-nameless' }, nameless)
    const { body } = await call<List>(`${app.api}/mine`, { token: nameless })
    expect(body.items[0]?.publisher).toBe(`Developer ${body.items[0]?.ownerId}`)
  })
})

describe('the catalog (4.1)', () => {
  test('lists only approved releases, newest submission first, 50 per page', async () => {
    const ids = approved.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(ids).toHaveLength(57)
    expect((await list('')).map(({ id }) => id)).toEqual(ids.slice(0, 50))
    expect((await list('offset=0')).map(({ id }) => id)).toEqual(ids.slice(0, 50))
    expect((await list('offset=1')).map(({ id }) => id)).toEqual(ids.slice(1, 51))
    expect((await list('offset=50')).map(({ id }) => id)).toEqual(ids.slice(50))
    expect(await list('offset=57')).toEqual([])
    expect(await list('offset=100000')).toEqual([])
  })

  test('a search is paged the same way', async () => {
    const found = approved.filter(({ name }) => name.includes('e')).map(({ id }) => id)
    const pages = await Promise.all(
      [0, 1, 50].map(async (offset) => (await list(`q=e&offset=${offset}`)).map(({ id }) => id)),
    )
    expect(pages[0]?.length).toBe(50)
    expect(pages[1]?.slice(0, 49)).toEqual(pages[0]?.slice(1))
    expect(new Set([...(pages[0] ?? []), ...(pages[2] ?? [])]).size).toBeGreaterThanOrEqual(found.length)
    expect(await list('q=json-lint&offset=1')).toEqual([])
  })

  test.each(['-1', '100001', 'abc', '1.5', '', '1e3', '+5', '%205', '0x10', '1000000', '٣', '5%00'])(
    'offset=%s is 400',
    async (offset) => {
      for (const path of ['skills', 'mine', 'review']) {
        const token = path === 'mine' ? app.developer : app.administrator
        expect(await refusal(`${app.api}/${path}?offset=${offset}`, { token })).toEqual({
          status: 400,
          code: 'VALIDATION_FAILED',
          paths: ['offset'],
        })
      }
    },
  )

  test('repeated offset, q or status is 400', async () => {
    const options = { token: app.administrator }
    expect((await refusal(`${app.api}/skills?offset=1&offset=1`)).status).toBe(400)
    expect((await refusal(`${app.api}/skills?q=a&q=a`)).status).toBe(400)
    expect((await refusal(`${app.api}/review?status=pending&status=pending`, options)).status).toBe(400)
  })

  test('unknown query parameters are ignored', async () => {
    const plain = await list('q=json')
    expect(await list('q=json&page=9&limit=1&offset[]=x&__proto__=1&status=pending')).toEqual(plain)
    expect((await refusal(`${app.api}/skills/json-lint?offset=abc`)).status).toBe(200)
  })
})

describe('the search', () => {
  const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')
  const matches = (release: RegistryVersion, q: string): boolean =>
    [release.name, release.manifest.description, release.manifest.category, release.publisher].some((field) =>
      fold(field).includes(fold(q)),
    )

  const terms = [
    ['j', 'js', 'jso', 'json', 'JSON-LINT', 'n-l', 'lint', 'Checks JSON: 100% of'],
    ['%', '_', '%%', '"', '""', "'", '\\', '\\s', '"quoted"', "''", '0%_', '* OR *', 'x NOT y', '(', ')'],
    ['🦊', '🐻', '🦊🐻', '🐻🦊', 'ångström', 'Å', 'å', 'Zoë', "o'neil", 'zoË O'],
    ['Σ', 'σ', 'ς', 'οδος', 'ΔΟΣ', 'ΟΔΟ'],
    ['validators', 'VALID', 'Other', 'data', 'ALICE', 'lic', 'a', 'e', ' ', '  ', '.', 'é', 'zzzz'],
    ['\u0000', '\u0000 zero', ',\n a', 'filler-1', 'filler-11', 'FILLER-49', '-', '1', '\uFFFD'],
  ].flat()
  test.each(terms)('q=%j matches a substring of name, description, category or publisher', async (q) => {
    const expected = approved.filter((release) => matches(release, q)).slice(0, 50)
    expect((await list(`q=${encodeURIComponent(q)}`)).map(({ id }) => id)).toEqual(
      expected.map(({ id }) => id),
    )
  })

  test('an empty q returns everything', async () => {
    expect(await list('q=')).toEqual(await list(''))
  })

  test('nothing matches across two fields', async () => {
    expect(await find('json-lintChecks')).toEqual([])
    expect(await find('json-lint Checks')).toEqual([])
    expect(await find('json-lint\uFFFFChecks')).toEqual([])
    expect(await find('\uFFFF')).toEqual([])
    expect(await find('ValidatorsAlice')).toEqual([])
  })

  test('the readme, the inputs and the license are not searched', async () => {
    expect(await find('writes it in capitals')).toEqual([])
    expect(await find('standard input')).toEqual([])
    expect(await find('MIT')).toEqual([])
  })

  test('pending, rejected and revoked releases are not found', async () => {
    expect(await find('xyzzy')).toEqual([])
    expect(await find('hidden')).toEqual([])
  })

  test('q has at most 100 code points; an emoji is one', async () => {
    const search = (q: string): Promise<{ status: number }> =>
      refusal(`${app.api}/skills?q=${encodeURIComponent(q)}`)
    expect((await search('a'.repeat(100))).status).toBe(200)
    expect((await search('🦊'.repeat(100))).status).toBe(200)
    expect(await search('a'.repeat(101))).toEqual({ status: 400, code: 'VALIDATION_FAILED', paths: ['q'] })
    expect((await search('🦊'.repeat(101))).status).toBe(400)
  })
})

describe('one release', () => {
  test('the latest is the most recently submitted approved one, not the highest version (9.3)', async () => {
    const { body } = await call<RegistryVersion>(`${app.api}/skills/versions`)
    expect(body).toMatchObject({ version: '1.0.0', status: 'approved' })
  })

  test.each(['hidden-pending', 'hidden-rejected', 'hidden-revoked'])(
    '%s is 404 everywhere, like an unknown name',
    async (name) => {
      for (const path of ['', '/1.0.0', '/1.0.0/manifest', '/1.0.0/package']) {
        const [notPublic, unknown] = await Promise.all([
          refusal(`${app.api}/skills/${name}${path}`),
          refusal(`${app.api}/skills/no-such${path}`),
        ])
        expect(notPublic).toEqual({ status: 404, code: 'NOT_FOUND', paths: [] })
        expect(unknown).toEqual(notPublic)
      }
    },
  )

  const longName = 'a'.repeat(65)
  test.each(['Upper', '-a', 'a--b', 'a-', '1a', 'a_b', longName, '%C3%A4', '%20a', 'a%0A', 'a%2Fb', 'a.b'])(
    'the invalid name %s is 400',
    async (name) => {
      const expected = { status: 400, code: 'VALIDATION_FAILED', paths: ['name'] }
      const paths = ['', '/1.0.0', '/1.0.0/manifest', '/1.0.0/package'].map((rest) => `skills/${name}${rest}`)
      for (const path of [...paths, `review/${name}/1.0.0/package`]) {
        expect(await refusal(`${app.api}/${path}`, { token: app.administrator })).toEqual(expected)
      }
    },
  )

  const longVersion = `1.0.${'1'.repeat(29)}`
  test.each(['1', '1.0', '01.0.0', '1.00.0', '1.0.0.0', 'v1.0.0', '1.0.0-beta', '1.0.0%0A', longVersion])(
    'the invalid version %s is 400',
    async (version) => {
      const expected = { status: 400, code: 'VALIDATION_FAILED', paths: ['version'] }
      const paths = ['', '/manifest', '/package'].map((rest) => `skills/json-lint/${version}${rest}`)
      for (const path of [...paths, `review/json-lint/${version}/package`]) {
        expect(await refusal(`${app.api}/${path}`, { token: app.administrator })).toEqual(expected)
      }
    },
  )

  test('the longest name and version are valid, so unknown ones are 404', async () => {
    const path = `skills/${'a'.repeat(64)}/1.0.${'1'.repeat(28)}`
    expect((await refusal(`${app.api}/${path}`)).status).toBe(404)
    expect((await refusal(`${app.api}/skills/json-lint/0.0.0`)).status).toBe(404)
  })
})

describe('HTTP', () => {
  const reads = [
    'skills',
    'skills?q=json',
    'skills/json-lint',
    'skills/json-lint/1.0.0',
    'skills/json-lint/1.0.0/manifest',
    'skills/json-lint/1.0.0/package',
    'mine',
    'review',
    'review/hidden-pending/1.0.0/package',
  ]
  const refused = ['skills?offset=x', 'skills/UP', 'skills/no-such', 'publish', 'nowhere']
  const get = (path: string, method = 'GET', token: string | null = app.administrator): Promise<Response> =>
    fetch(`${app.api}/${path}`, {
      method,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    })

  test.each([...reads, ...refused])('%s has no-store and nosniff', async (path) => {
    for (const token of [app.administrator, app.developer, null]) {
      const response = await get(path, 'GET', token)
      await response.arrayBuffer()
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('x-powered-by')).toBeNull()
      const isPackage = response.ok && path.endsWith('/package')
      expect(response.headers.has('etag')).toBe(isPackage)
      const type = isPackage ? /^application\/wasm$/ : /^application\/json/
      expect(response.headers.get('content-type')).toMatch(type)
    }
  })

  test.each([...reads, ...refused])('HEAD %s has the headers of GET and no body', async (path) => {
    const [head, full] = await Promise.all([get(path, 'HEAD'), get(path)])
    const bytes = await full.arrayBuffer()
    expect(head.status).toBe(full.status)
    expect((await head.arrayBuffer()).byteLength).toBe(0)
    for (const name of ['content-type', 'cache-control', 'content-disposition', 'allow']) {
      expect(head.headers.get(name)).toBe(full.headers.get(name))
    }
    // The message of a 405 names the method, so the two differ there.
    if (full.status !== 405) expect(head.headers.get('content-length')).toBe(String(bytes.byteLength))
  })

  const wrongMethods: [string, string, string][] = [
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method): [string, string, string] => [
      method,
      'skills',
      'GET, HEAD',
    ]),
    ['POST', 'skills/json-lint', 'GET, HEAD'],
    ['DELETE', 'skills/json-lint/1.0.0', 'GET, HEAD'],
    ['PUT', 'skills/json-lint/1.0.0/package', 'GET, HEAD'],
    ['PATCH', 'skills/json-lint/1.0.0/manifest', 'GET, HEAD'],
    ['POST', 'mine', 'GET, HEAD'],
    ['POST', 'review', 'GET, HEAD'],
    ['POST', 'review/json-lint/1.0.0/package', 'GET, HEAD'],
    ['GET', 'publish', 'POST'],
    ['HEAD', 'publish', 'POST'],
    ['OPTIONS', 'publish', 'POST'],
    ['GET', 'review/1', 'POST'],
    ['DELETE', 'review/1', 'POST'],
  ]
  test.each(wrongMethods)('%s %s is 405, with the allowed methods in Allow', async (method, path, allow) => {
    const response = await get(path, method)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    const text = await response.text()
    if (method === 'HEAD') expect(text).toBe('')
    else expect(JSON.parse(text)).toEqual({ error: expect.any(String), code: 'METHOD_NOT_ALLOWED' })
  })

  test.each([
    '/api',
    '/api/marketplace',
    '/api/marketplace/',
    '/api/marketplace/skills/',
    '/api/marketplace/skills/json-lint/',
    '/api/marketplace/skills/json-lint/1.0.0/',
    '/api/marketplace/skills/json-lint/1.0.0/package/',
    '/api/marketplace/skills/json-lint/1.0.0/readme',
    '/api/marketplace/Skills',
    '/API/marketplace/skills',
    '/api//marketplace/skills',
    '/api/marketplace/skills/json-lint/1.0.0/package/x',
    '/api/health/',
    '/favicon.ico',
    '/%zz',
  ])('%s is 404 with an ErrorResponse', async (path) => {
    const { status, body } = await call(`${app.registry}${path}`, { token: app.administrator })
    expect(status).toBe(404)
    expect(body).toEqual({ error: expect.stringContaining('There is nothing at'), code: 'NOT_FOUND' })
  })

  test.each([
    'skills/%',
    'skills/%zz',
    'skills/%E0%A4%A',
    'skills/json-lint/%C3',
    'skills/%ff/1.0.0/package',
  ])('the invalid percent-encoding in %s is 400', async (path) => {
    expect(await refusal(`${app.api}/${path}`)).toEqual({ status: 400, code: 'BAD_REQUEST', paths: [] })
  })

  test('an error is one sentence and a code, without a path, SQL or a stack trace', async () => {
    const { body } = await call<{ error: string }>(`${app.api}/skills/no-such/1.0.0`)
    expect(body).toEqual({ error: expect.stringContaining('no-such 1.0.0'), code: 'NOT_FOUND' })
    expect(body.error).not.toMatch(/SELECT|\.ts|\.db|\n/)
  })
})
