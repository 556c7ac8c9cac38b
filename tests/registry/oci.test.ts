import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { getDeskRelease, signIn, withDatabase } from '../support/desk/desk-client.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { askOci, ociDigest, ociRelease, ownModule, pull } from '../support/server/oci.ts'
import type { OciAnswer } from '../support/server/oci.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { startTestServer } from '../support/server/server.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { until } from '../support/wait.ts'

// The rules for pull and content discovery of the OCI Distribution Specification 1.1, and rulings, "OCI".

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const configType = 'application/vnd.wasm.config.v0+json'
const unknownDigest = `sha256:${'0'.repeat(64)}`

let app: TestRegistry
let wasm: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  app = await startTestRegistry({ config: { downloadConcurrency: 2 } })
  wasm = ownModule(app)
  await ociRelease(app, 'tagged', '1.2.0')
  await ociRelease(app, 'tagged', '1.10.0')
  await ociRelease(app, 'tagged', '1.0.0', ['approved'], wasm)
  await ociRelease(app, 'hidden', '1.0.0', [])
  await ociRelease(app, 'hidden', '1.1.0', ['rejected'])
})
afterAll(async () => {
  await app.stop()
  await cleanUp()
})

const ask = (path: string, init?: RequestInit): Promise<OciAnswer> => askOci(app.registry, path, init)
const statusesOf = (paths: readonly string[]): Promise<number[]> =>
  Promise.all(paths.map(async (path) => (await ask(path)).status))
const outcome = ({ status, code }: OciAnswer): unknown[] => [status, code]

interface Tags {
  name: string
  tags: string[]
}
async function listTags(query = '', name = 'tagged'): Promise<Tags & { link: string | null }> {
  const { bytes, headers } = await ask(`/${name}/tags/list${query}`)
  return { ...(JSON.parse(bytes.toString()) as Tags), link: headers.get('link') }
}

test('GET /v2/ is 200 without a token, also for a client that sends other credentials', async () => {
  expect((await ask('/')).status).toBe(200)
  expect((await ask('/', { headers: { authorization: 'Basic YTpi' } })).status).toBe(200)
})

describe('the list of tags', () => {
  test('has the approved versions and latest, in lexical order', async () => {
    expect(await listTags()).toEqual({
      name: 'tagged',
      tags: ['1.0.0', '1.10.0', '1.2.0', 'latest'],
      link: null,
    })
  })

  test('has at most n tags, and a link to the next page while there is one', async () => {
    const first = await listTags('?n=3')
    expect(first).toMatchObject({ tags: ['1.0.0', '1.10.0', '1.2.0'] })
    const next = /^<(.*)>; rel="next"$/.exec(first.link ?? '')?.[1] ?? ''
    const response = await fetch(new URL(next, app.registry))
    expect([await response.json(), response.headers.get('link')]).toEqual([
      { name: 'tagged', tags: ['latest'] },
      null,
    ])
    expect(await listTags('?n=4')).toMatchObject({ tags: [...first.tags, 'latest'], link: null })
  })

  test('is empty and has no link for n=0', async () => {
    expect(await listTags('?n=0')).toMatchObject({ tags: [], link: null })
  })

  test('begins after last, which need not be a tag', async () => {
    expect((await listTags('?last=1.10.0')).tags).toEqual(['1.2.0', 'latest'])
    expect((await listTags('?last=1.1')).tags).toEqual(['1.10.0', '1.2.0', 'latest'])
    expect((await listTags('?last=latest')).tags).toEqual([])
    expect(await listTags('?n=1&last=1.10.0')).toMatchObject({
      tags: ['1.2.0'],
      link: '</v2/tagged/tags/list?n=1&last=1.2.0>; rel="next"',
    })
  })

  test('has at most 1,000 tags on a page', async () => {
    await withDatabase(app, (database) =>
      database.transact(() =>
        database.writer.exec(`
          INSERT INTO skill_names (name, owner_id) VALUES ('many', 1);
          WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < 1001)
          INSERT INTO releases (name, version, owner_id, sha256, size, status, created_at)
            SELECT 'many', '1.0.' || i, 1, '', 8, 'approved', '' FROM counted`),
      ),
    )
    for (const query of ['', '?n=999999999']) {
      const { tags, link } = await listTags(query, 'many')
      expect([tags.length, tags.at(-1), link]).toEqual([
        1000,
        '1.0.998',
        '</v2/many/tags/list?n=1000&last=1.0.998>; rel="next"',
      ])
    }
    expect((await listTags('?last=1.0.998', 'many')).tags).toEqual(['1.0.999', 'latest'])
  })

  test('is 400 for an n that is not a number', async () => {
    expect(outcome(await ask('/tagged/tags/list?n=x'))).toEqual([400, 'VALIDATION_FAILED'])
  })
})

describe('a manifest', () => {
  test('is the Wasm OCI artifact of the release: its config, and one layer with its module', async () => {
    const { manifest, byDigest } = await pull(app.registry, 'tagged', '1.0.0')
    expect(manifest).toMatchObject({
      schemaVersion: 2,
      mediaType: manifestType,
      artifactType: configType,
      config: { mediaType: configType },
      layers: [{ mediaType: 'application/wasm', digest: ociDigest(wasm), size: wasm.length }],
    })
    const [config, layer] = [await ask(byDigest.config), await ask(byDigest.layer)]
    expect([config.bytes.length, ociDigest(config.bytes)]).toEqual([
      manifest.config.size,
      manifest.config.digest,
    ])
    expect(JSON.parse(config.bytes.toString())).toMatchObject({
      architecture: 'wasm',
      os: 'wasip1',
      layerDigests: [ociDigest(wasm)],
    })
    expect(layer.bytes.equals(wasm)).toBe(true)
  })

  test('is the same by tag and by digest, with its type and digest, whatever the client accepts', async () => {
    const tagged = await ask('/tagged/manifests/1.0.0')
    const digest = ociDigest(tagged.bytes)
    const byDigest = await ask(`/tagged/manifests/${digest}`, {
      headers: { accept: 'application/vnd.docker.distribution.manifest.v2+json, text/html' },
    })
    expect(byDigest.bytes.equals(tagged.bytes)).toBe(true)
    for (const { status, headers } of [tagged, byDigest]) {
      expect([status, headers.get('content-type'), headers.get('docker-content-digest')]).toEqual([
        200,
        manifestType,
        digest,
      ])
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('of latest is that of the release that was submitted last, not of the highest version', async () => {
    const latest = await ask('/tagged/manifests/latest')
    expect(latest.bytes.equals((await ask('/tagged/manifests/1.0.0')).bytes)).toBe(true)
  })
})

test('a config is not a manifest, and a manifest is not a blob', async () => {
  const { byDigest } = await pull(app.registry, 'tagged', '1.0.0')
  const swapped = [
    byDigest.config.replace('blobs', 'manifests'),
    byDigest.manifest.replace('manifests', 'blobs'),
  ]
  expect(await statusesOf(swapped)).toEqual([404, 404])
})

test('HEAD has the status, type, length and digest of GET, without a body', async () => {
  const { byDigest } = await pull(app.registry, 'tagged', '1.0.0')
  for (const path of [...Object.values(byDigest), '/tagged/manifests/latest', '/tagged/tags/list', '/']) {
    const [get, head] = await Promise.all([ask(path), ask(path, { method: 'HEAD' })])
    const shown = ({ status, headers }: OciAnswer) => [
      status,
      ...['content-type', 'content-length', 'docker-content-digest'].map((header) => headers.get(header)),
    ]
    expect(shown(head), path).toEqual(shown(get))
    expect([head.status, head.bytes.length], path).toEqual([200, 0])
  }
})

describe('a blob', () => {
  test('has its digest and length in the headers', async () => {
    const { byDigest, manifest } = await pull(app.registry, 'tagged', '1.2.0')
    for (const [path, { digest, size }] of [
      [byDigest.config, manifest.config],
      [byDigest.layer, manifest.layers[0]],
    ] as const) {
      const { headers } = await ask(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'docker-content-digest': digest,
        'cache-control': 'no-store',
      })
    }
  })

  test('is 304 for a client that has it, until the release is revoked', async () => {
    const id = await ociRelease(app, 'cached', '1.0.0')
    const { byDigest } = await pull(app.registry, 'cached', '1.0.0')
    const etag = (await ask(byDigest.layer)).headers.get('etag') ?? ''
    const again = () => ask(byDigest.layer, { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    await app.decide(id, 'revoked')
    expect(outcome(await again())).toEqual([404, 'NAME_UNKNOWN'])
  })

  test('of a module counts as a download of its release', async () => {
    const id = await ociRelease(app, 'counted', '1.0.0')
    const { byDigest } = await pull(app.registry, 'counted', '1.0.0')
    await ask(byDigest.config)
    await ask(byDigest.layer)
    const rita = await signIn(app, 'rita')
    await until('the download is counted', async () => (await getDeskRelease(rita, id)).downloads === 1)
  })

  test('with damaged bytes is 503 and never served', async () => {
    await ociRelease(app, 'damaged', '1.0.0')
    const { byDigest, manifest } = await pull(app.registry, 'damaged', '1.0.0')
    const file = join(dataPaths(app.folder).packages, manifest.layers[0].digest.replace('sha256:', ''))
    const bytes = await readFile(file)
    await writeFile(file, 'damaged')
    expect(outcome(await ask(byDigest.layer))).toEqual([503, 'PACKAGE_CORRUPT'])
    await writeFile(file, bytes)
    expect((await ask(byDigest.layer)).status).toBe(200)
  })

  test('takes a slot of the package downloads, and is 429 TOOMANYREQUESTS without one', async () => {
    await ociRelease(app, 'slow', '1.0.0', ['approved'], padModule(app.wasm, 16_777_216))
    const { byDigest } = await pull(app.registry, 'slow', '1.0.0')
    const clients = await Promise.all(
      [`/v2${byDigest.layer}`, '/api/marketplace/skills/slow/1.0.0/package'].map(async (path) => {
        const client = await connectRaw(app.registry)
        const answered = new Promise((resolve) => void client.socket.once('readable', resolve))
        await client.send(requestHead('GET', app.registry + path))
        await answered
        return client
      }),
    )
    const refused = await ask(byDigest.layer)
    expect([...outcome(refused), Number(refused.headers.get('retry-after')) > 0]).toEqual([
      429,
      'TOOMANYREQUESTS',
      true,
    ])
    // What is not a download is served.
    expect(await statusesOf([byDigest.config, byDigest.manifest])).toEqual([200, 200])
    for (const client of clients) client.destroy()
    await until(
      'the slots are free',
      async () => (await ask(byDigest.layer, { method: 'HEAD' })).status === 200,
    )
  })
})

describe('referrers', () => {
  test('are an empty image index', async () => {
    const { status, headers, bytes } = await ask(`/tagged/referrers/${unknownDigest}`)
    expect([status, headers.get('content-type'), JSON.parse(bytes.toString())]).toEqual([
      200,
      'application/vnd.oci.image.index.v1+json',
      { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [] },
    ])
  })

  test('of an invalid digest are 400, and of an unknown repository 404', async () => {
    expect(outcome(await ask('/tagged/referrers/sha256:short'))).toEqual([400, 'DIGEST_INVALID'])
    expect(outcome(await ask(`/unknown/referrers/${unknownDigest}`))).toEqual([404, 'NAME_UNKNOWN'])
  })
})

describe('an error is one of the specification', () => {
  test.each([
    ['an unknown tag', '/tagged/manifests/9.0.0', 404, 'MANIFEST_UNKNOWN'],
    ['a reference that cannot be a tag', '/tagged/manifests/.INVALID_MANIFEST_NAME', 404, 'MANIFEST_UNKNOWN'],
    ['an unknown manifest', `/tagged/manifests/${unknownDigest}`, 404, 'MANIFEST_UNKNOWN'],
    [
      'an unknown manifest by SHA-512',
      `/tagged/manifests/sha512:${'0'.repeat(128)}`,
      404,
      'MANIFEST_UNKNOWN',
    ],
    ['an invalid digest of a manifest', '/tagged/manifests/sha256:totallywrong', 400, 'DIGEST_INVALID'],
    ['an unknown blob', `/tagged/blobs/${unknownDigest}`, 404, 'BLOB_UNKNOWN'],
    ['an invalid digest of a blob', `/tagged/blobs/sha256:${'A'.repeat(64)}`, 400, 'DIGEST_INVALID'],
    [
      'a digest of another algorithm',
      '/tagged/blobs/md5:d41d8cd98f00b204e9800998ecf8427e',
      400,
      'DIGEST_INVALID',
    ],
    ['a blob without a digest', '/tagged/blobs/latest', 400, 'DIGEST_INVALID'],
    ['the tags of an unknown repository', '/unknown/tags/list', 404, 'NAME_UNKNOWN'],
    ['a manifest of an unknown repository', '/unknown/manifests/latest', 404, 'NAME_UNKNOWN'],
    ['a blob of an unknown repository', `/unknown/blobs/${unknownDigest}`, 404, 'NAME_UNKNOWN'],
    ['a repository that no skill can be', '/other.name/tags/list', 404, 'NAME_UNKNOWN'],
    ['a repository in a namespace', '/other/name/manifests/latest', 404, 'NAME_UNKNOWN'],
    ['an invalid name', '/Upper/tags/list', 400, 'NAME_INVALID'],
    ['an invalid name with a digest', `/-x/blobs/${unknownDigest}`, 400, 'NAME_INVALID'],
    ['a name of more than 255 characters', `/${'a'.repeat(256)}/manifests/1.0.0`, 400, 'NAME_INVALID'],
    ['the list of repositories, which the specification no longer has', '/_catalog', 404, 'NAME_UNKNOWN'],
  ])('for %s', async (_title, path, status, code) => {
    const answer = await ask(path, { headers: { accept: 'text/html, application/problem+json' } })
    expect(outcome(answer)).toEqual([status, code])
    const { errors, ...others } = JSON.parse(answer.bytes.toString()) as { errors: unknown[] }
    expect([others, errors]).toEqual([{}, [{ code, message: expect.stringMatching(/\w+\.$/) as string }]])
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect((await ask(path, { method: 'HEAD' })).status).toBe(status)
  })

  test.each([
    ['POST', '/tagged/blobs/uploads/'],
    ['POST', `/tagged/blobs/uploads/?mount=${unknownDigest}&from=other`],
    ['PATCH', '/tagged/blobs/uploads/1'],
    ['PUT', `/tagged/blobs/uploads/1?digest=${unknownDigest}`],
    ['PUT', '/tagged/manifests/1.0.0'],
    ['PUT', '/other/name/manifests/1.0.0'],
    ['DELETE', '/tagged/manifests/1.0.0'],
    ['DELETE', `/tagged/blobs/${unknownDigest}`],
    ['POST', '/'],
  ])('for a write: %s %s is 405 UNSUPPORTED', async (method, path) => {
    const answer = await ask(path, { method, ...(method === 'DELETE' ? {} : { body: 'x' }) })
    expect([...outcome(answer), answer.headers.get('allow')]).toEqual([405, 'UNSUPPORTED', 'GET, HEAD'])
  })

  test('but not on the local listener, which has no such endpoints', async () => {
    for (const method of ['GET', 'POST']) {
      expect((await fetch(`${app.dashboard}/v2/`, { method })).status).toBe(404)
    }
  })
})

describe('approval is checked on every request', () => {
  test('pending and rejected releases are never visible', async () => {
    expect(
      await statusesOf(['/hidden/tags/list', '/hidden/manifests/1.0.0', '/hidden/manifests/latest']),
    ).toEqual([404, 404, 404])
    const hidden = ownModule(app)
    await ociRelease(app, 'partly', '1.0.0')
    const pending = await ociRelease(app, 'partly', '1.1.0', [], hidden)
    const rejected = await ociRelease(app, 'partly', '1.2.0', ['rejected'])
    expect((await listTags('', 'partly')).tags).toEqual(['1.0.0', 'latest'])
    expect(
      await statusesOf([
        '/partly/manifests/1.1.0',
        '/partly/manifests/1.2.0',
        `/partly/blobs/${ociDigest(hidden)}`,
        `/partly/manifests/${pending}`,
        `/partly/manifests/${rejected}`,
      ]),
    ).toEqual([404, 404, 404, 404, 404])
    expect((await pull(app.registry, 'partly', 'latest')).manifest.annotations).toMatchObject({
      'org.opencontainers.image.version': '1.0.0',
    })
  })

  test('the next request after a revocation is 404: by tag, and by the digests of manifest, config and module', async () => {
    await ociRelease(app, 'withdrawn', '1.0.0')
    const id = await ociRelease(app, 'withdrawn', '1.1.0')
    const { byDigest } = await pull(app.registry, 'withdrawn', '1.1.0')
    const paths = ['/withdrawn/manifests/1.1.0', ...Object.values(byDigest)]
    expect(await statusesOf(paths)).toEqual([200, 200, 200, 200])
    expect((await listTags('', 'withdrawn')).tags).toEqual(['1.0.0', '1.1.0', 'latest'])
    await app.decide(id, 'revoked')
    expect(await Promise.all(paths.map(async (path) => outcome(await ask(path))))).toEqual([
      [404, 'MANIFEST_UNKNOWN'],
      [404, 'MANIFEST_UNKNOWN'],
      [404, 'BLOB_UNKNOWN'],
      [404, 'BLOB_UNKNOWN'],
    ])
    expect((await listTags('', 'withdrawn')).tags).toEqual(['1.0.0', 'latest'])
    const latest = await pull(app.registry, 'withdrawn', 'latest')
    expect(latest.manifest.annotations['org.opencontainers.image.version']).toBe('1.0.0')
  })

  test('a module stays while another approved release of the same repository has the same bytes', async () => {
    const shared = ownModule(app)
    const first = await ociRelease(app, 'twin', '1.0.0', ['approved'], shared)
    const second = await ociRelease(app, 'twin', '1.1.0', ['approved'], shared)
    await ociRelease(app, 'other-twin', '1.0.0', ['approved'], shared)
    const { byDigest } = await pull(app.registry, 'twin', '1.0.0')
    const paths = [byDigest.manifest, byDigest.layer]
    await app.decide(first, 'revoked')
    // The manifest names the version, so it is not the same.
    expect(await statusesOf(paths)).toEqual([404, 200])
    await app.decide(second, 'revoked')
    expect(await statusesOf(paths)).toEqual([404, 404])
    expect((await ask(`/other-twin/blobs/${ociDigest(shared)}`)).status).toBe(200)
  })
})

describe('the digests that clients pin', () => {
  test('stay valid after a restart, in a restored backup, and after a rebuild of the database', async () => {
    const folder = join(temporaryFolder(), 'data')
    const first = await startTestRegistry({ folder })
    await ociRelease(first, 'pinned', '1.0.0')
    const { byDigest } = await pull(first.registry, 'pinned', '1.0.0')
    const readAll = async (registry: string): Promise<string[]> =>
      Promise.all(
        Object.values(byDigest).map(async (path) => {
          const { status, bytes } = await askOci(registry, path)
          return `${status} ${bytes.toString('latin1')}`
        }),
      )
    const pinned = await readAll(first.registry)
    expect(pinned.every((answer) => answer.startsWith('200 '))).toBe(true)
    await first.stop()
    const readIn = async (data: string): Promise<string[]> => {
      const server = await startTestServer({ folder: data })
      const answers = await readAll(server.registry)
      await server.stop()
      return answers
    }
    expect(await readIn(folder)).toEqual(pinned)

    const backup = join(temporaryFolder(), 'backup.tar')
    const restored = join(temporaryFolder(), 'restored')
    expect(await skilldockHere(folder, ['backup', backup])).toMatchObject({ status: 0 })
    expect(await skilldockHere(restored, ['restore', backup])).toMatchObject({ status: 0 })
    expect(await readIn(restored)).toEqual(pinned)

    await rm(dataPaths(folder).database)
    expect(await skilldockHere(folder, ['rebuild'])).toMatchObject({ status: 0 })
    expect(await readIn(folder)).toEqual(pinned)
  })
})
