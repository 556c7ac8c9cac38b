import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Variables } from '../support/server/command-line.ts'
import { multipartBody, multipartType } from '../support/server/multipart.ts'
import { publish, manifest } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServerOptions } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

// `serve --workers N`: processes that answer public reads beside the one that writes.

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) {
    await close()
  }
})
afterAll(cleanUp)

async function startWithWorkers(options: TestServerOptions = {}): Promise<TestRegistry> {
  const app = await startTestRegistry({ workerCount: 2, ...options })
  opened.push(() => app.stop())
  return app
}

async function connectTo(app: Pick<TestRegistry, 'registry'>, localAddress?: string): Promise<RawClient> {
  const client = await connectRaw(app.registry, localAddress)
  opened.push(client.destroy)
  return client
}

async function ask(client: RawClient, url: string, headers: Record<string, string | number> = {}) {
  await client.send(requestHead('GET', url, headers))
  return client.answer()
}

/** The process that answered: request ids start with a value that each process chooses. */
const processOf = (answer: { headers: Record<string, string> }): string =>
  (answer.headers['x-request-id'] ?? '').split('-', 1)[0] ?? ''

/** One connection to each worker, in any order. */
async function connectToEach(app: Pick<TestRegistry, 'registry'>, count = 2): Promise<RawClient[]> {
  const clients = new Map<string, RawClient>()
  await until('each worker has a connection', async () => {
    const client = await connectTo(app)
    clients.set(processOf(await ask(client, `${app.registry}/api/skilldock/jwks.json`)), client)
    return clients.size === count
  })
  return [...clients.values()]
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The ids of the workers of a process. */
async function workersOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const ids = children.split(' ').filter(Boolean).map(Number)
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return ids.filter((_, at) => commands[at]?.includes('worker.js'))
}

/** A description of a skill for an MCP client, as the bytes that it sends. */
function describeSkill(registry: string, name: string): string {
  const params = { name: 'describe_skill', arguments: { name } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': body.length,
  }
  return requestHead('POST', `${registry}/mcp`, headers) + body
}

describe('with the default settings', () => {
  // Each test publishes a release with a name of its own.
  let app: TestRegistry
  beforeAll(async () => {
    app = await startTestRegistry({ workerCount: 2 })
  })
  afterAll(() => app.stop())

  test('a revocation is seen by the next request, whichever worker answers', async () => {
    const id = await app.release({ name: 'seen-by-all' }, 'approved')
    const clients = await connectToEach(app)
    const paths = [
      '/api/marketplace/skills/seen-by-all/1.0.0',
      '/skills/seen-by-all/1.0.0',
      '/api/marketplace/skills',
      '/v2/seen-by-all/manifests/1.0.0',
    ]
    const processes = new Set<string>()
    const readAll = () =>
      Promise.all(
        clients.map(async (client) => {
          const answers: string[] = []
          for (const path of paths) {
            const { status, body, headers } = await ask(client, `${app.registry}${path}`)
            answers.push(`${status} ${body.includes('seen-by-all')}`)
            processes.add(processOf({ headers }))
          }
          await client.send(describeSkill(app.registry, 'seen-by-all'))
          const { status, body, headers } = await client.answer()
          processes.add(processOf({ headers }))
          return [...answers, `${status} ${body.includes('isError')}`]
        }),
      )
    const approved = ['200 true', '200 true', '200 true', '200 true', '200 false']
    expect(await readAll()).toEqual([approved, approved])
    // From the caches.
    expect(await readAll()).toEqual([approved, approved])

    await app.decide(id, 'revoked')
    const revoked = ['404 true', '404 true', '200 false', '404 true', '200 true']
    expect(await readAll()).toEqual([revoked, revoked])
    // No request was forwarded to the server.
    expect(processes.size).toBe(2)
  })

  test('publishing works through a worker, and downloads of all workers are counted', async () => {
    const large = padModule(app.wasm, 16_000_000)
    const reply = await publish(app.registry, app.developer, manifest({ name: 'large' }), large)
    expect(reply.status).toBe(201)
    await app.decide(reply.body.id, 'approved')
    const url = `${app.api}/skills/large/1.0.0/package`
    const bytes = await Promise.all(
      Array.from({ length: 6 }, async () => (await fetch(url, { headers: { connection: 'close' } })).bytes()),
    )
    for (const read of bytes) expect(Buffer.compare(read, large)).toBe(0)
    const database = new Sqlite(join(app.folder, 'skilldock.db'), { readonly: true })
    opened.push(() => database.close())
    const count = database
      .prepare<[number], number>('SELECT n FROM release_downloads WHERE release_id = ?')
      .pluck()
    await expect.poll(() => count.get(reply.body.id)).toBe(6)
  })

  test('a client cannot choose its address, and the log has the lines of all processes', async () => {
    const client = await connectTo(app, '127.0.0.2')
    const headers = { 'X-Skilldock-Client': '203.0.113.9 1.1' }
    await ask(client, `${app.registry}/nothing`, headers)
    await ask(client, `${app.registry}/skills/no/1.0.0`, headers)
    const clientsOf = (path: string) =>
      app.logs
        .map((line) => JSON.parse(line) as { path?: string; client?: string })
        .filter((line) => line.path === path)
    await expect.poll(() => clientsOf('/nothing').map((line) => line.client)).toEqual(['127.0.0.2'])
    await expect.poll(() => clientsOf('/skills/no/1.0.0').map((line) => line.client)).toEqual(['127.0.0.2'])
  })
})

/** Requests of every kind, as the bytes that a client sends. */
const kinds: Readonly<Record<string, string>> = {
  'the home page': 'GET / HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'the submission form': 'GET /showcase/submit HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'the catalog': 'GET /api/marketplace/skills HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an invalid parameter': 'GET /api/marketplace/skills?offset=x HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a release': 'GET /api/marketplace/skills/upper-case/1.0.0 HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a package': 'GET /api/marketplace/skills/upper-case/1.0.0/package HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'tags for OCI clients': 'GET /v2/upper-case/tags/list?n=1 HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a manifest for OCI clients': 'GET /v2/upper-case/manifests/latest HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an unknown repository': 'GET /v2/a/b/tags/list HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a write of an OCI client': 'POST /v2/upper-case/blobs/uploads/ HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a message of an MCP client':
    'POST /mcp HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  'the preflight of an MCP client': 'OPTIONS /mcp HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a document': 'GET /docs-markdown/marketplace/upper-case/1.0.0.md HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'the feed': 'GET /api/blog/feed.xml HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'the keys': 'GET /api/skilldock/jwks.json HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'the API description': 'GET /openapi.json HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an unknown release as a page': 'GET /skills/no/1.0.0 HTTP/1.1\r\nHost: HOST\r\nAccept: text/html\r\n\r\n',
  'an unknown path': 'GET /nothing HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an unknown path as a page': 'GET /nothing HTTP/1.1\r\nHost: HOST\r\nAccept: text/html\r\n\r\n',
  'another method': 'DELETE /skills HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an undecodable path': 'GET /skills/%ff HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an absolute URL': 'GET http://HOST/api/marketplace/skills HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'no host': 'GET /nothing HTTP/1.1\r\n\r\n',
  'no host, HTTP/1.0': 'GET /nothing HTTP/1.0\r\n\r\n',
  'HTTP/1.0': 'GET /api/marketplace/mine HTTP/1.0\r\nHost: HOST\r\n\r\n',
  'a repeated header': 'GET /nothing HTTP/1.1\r\nHost: HOST\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n',
  'a repeated header of a read': 'GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n',
  'invalid HTTP': 'GET / HTTP/9\r\n\r\n',
  'a missing token': 'GET /api/marketplace/mine HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an invalid token': 'GET /api/marketplace/mine HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer x\r\n\r\n',
  'a read with a body': 'GET /api/marketplace/skills HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\n\r\n{}',
  'the last request of a connection':
    'GET /api/marketplace/mine HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n',
  'a submission without a body':
    'POST /api/marketplace/publish HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n',
  'a body that waits for permission':
    'POST /api/marketplace/review/1 HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
  'a chunked body':
    'POST /api/marketplace/review/1 HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
}

test('the same request gets the same answer as from a single process', async () => {
  const source = await startTestRegistry()
  await source.release({}, 'approved')
  const administrator = source.administrator
  await source.server.stop()
  // Last of all, because it removes the folder.
  opened.push(() => source.stop())
  const copy = await mkdtemp(join(tmpdir(), 'skilldock-copy-'))
  opened.push(() => rm(copy, { recursive: true }))
  await cp(source.folder, copy, { recursive: true })
  const config = { publicUrl: 'http://skills.test' }
  const single = await startTestServer({ folder: source.folder, config })
  const several = await startTestServer({ folder: copy, config, workerCount: 2 })
  opened.push(
    () => several.stop(),
    () => single.stop(),
  )

  const answerOf = async (app: Pick<TestRegistry, 'registry'>, bytes: string) => {
    const client = await connectTo(app)
    await client.send(bytes.replaceAll('HOST', new URL(app.registry).host).replaceAll('TOKEN', administrator))
    const { headers, ...answer } = await client.answer()
    const { date: _, 'x-request-id': id, ...compared } = headers
    const body = answer.body.replaceAll(/"timestamp":"[^"]*"|http:\/\/127\.0\.0\.1:\d+/g, '')
    if (answer.body !== body) delete compared['etag']
    // What is left of a limit depends on the time between two requests.
    compared['ratelimit'] &&= compared['ratelimit'].replaceAll(/=\d+/g, '')
    return {
      ...answer,
      body,
      headers: { ...compared, 'content-length': String(body.length) },
      hasId: id !== undefined,
    }
  }
  for (const [kind, bytes] of Object.entries(kinds)) {
    const [one, other] = await Promise.all([answerOf(several, bytes), answerOf(single, bytes)])
    expect([kind, one]).toEqual([kind, other])
  }
})

test('each worker has an equal share of the downloads', async () => {
  const app = await startWithWorkers({ config: { downloadConcurrency: 2 } })
  const reply = await publish(app.registry, app.developer, manifest(), padModule(app.wasm, 16_000_000))
  await app.decide(reply.body.id, 'approved')
  const url = `${app.api}/skills/upper-case/1.0.0/package`
  const [first, second] = await connectToEach(app)
  if (first === undefined || second === undefined) throw new Error('there are two')
  for (const client of [first, second]) {
    client.socket.pause()
    await client.send(requestHead('GET', url))
  }
  // Both slots are taken by downloads that nobody reads.
  await until('both workers refuse', async () => {
    const codes = await Promise.all(
      (await connectToEach(app)).map(async (client) => (await ask(client, url)).status),
    )
    return codes.every((code) => code === 429)
  })
})

test('changed settings take effect in every worker', async () => {
  const app = await startWithWorkers()
  await app.server.settings.save({ publicUrl: 'https://skills.example' })
  const clients = await connectToEach(app)
  for (const client of clients) {
    await expect
      .poll(async () => (await ask(client, `${app.registry}/robots.txt`)).body)
      .toContain('https://skills.example')
  }
})

test('a worker that does not respond is killed, so that the server stops', async () => {
  const app = await startWithWorkers({ stopTimeoutMs: 100 })
  const pids = await workersOf(process.pid)
  expect(pids).toHaveLength(2)
  const [frozen = 0] = pids
  process.kill(frozen, 'SIGSTOP')
  opened.push(() => isRunning(frozen) && process.kill(frozen, 'SIGKILL'))
  await app.stop()
  expect(pids.map(isRunning)).toEqual([false, false])
})

test('the figures of the service count the answers of all workers', async () => {
  const app = await startWithWorkers()
  const before = app.server.registry.figures().requestsLastMinute
  const clients = await connectToEach(app)
  await Promise.all(clients.map((client) => ask(client, `${app.registry}/robots.txt`)))
  await expect.poll(() => app.server.registry.figures().requestsLastMinute).toBeGreaterThanOrEqual(before + 4)
})

describe('as a process', () => {
  const startServing = async (variables: Variables = {}, options = ['--workers', '2']) => {
    const folder = temporaryFolder()
    return Object.assign(await serve(folder, variables, undefined, options), { folder })
  }

  test('a worker that is killed is replaced, and the clients of others go on', async () => {
    const served = await startServing({ SKILLDOCK_WORKERS: '2' }, [])
    const clients = await connectToEach(served)
    const [killed = 0] = await workersOf(served.pid)
    process.kill(killed, 'SIGKILL')
    await until('one connection is closed', () =>
      clients.some(({ socket }) => socket.destroyed || socket.readableEnded),
    )
    const others = clients.filter(({ socket }) => !socket.destroyed && !socket.readableEnded)
    expect(others).toHaveLength(1)
    const [other] = others
    expect((await ask(other as RawClient, `${served.registry}/robots.txt`)).status).toBe(200)
    // The replacement accepts connections.
    await until('there are two workers', async () => (await workersOf(served.pid)).length === 2)
    await connectToEach(served)
    expect(await workersOf(served.pid)).not.toContain(killed)
    expect(served.output.stderr).toContain('"signal":"SIGKILL"')
    expect((await served.stop()).status).toBe(0)
  })

  test('SIGTERM lets a request in flight finish, and leaves no process behind', async () => {
    const served = await startServing()
    const pids = await workersOf(served.pid)
    const client = await connectTo(served)
    const url = `${served.registry}/api/showcase/upload-image`
    const body = multipartBody([{ name: 'image', data: 'no image', fileName: 'a.png', type: 'image/png' }])
    await client.send(
      requestHead('POST', url, { 'Content-Type': multipartType, 'Content-Length': body.length }),
    )
    await client.send(body.subarray(0, -10).toString())
    await until('the process that writes has received a part of it', async () =>
      (await readdir(dataPaths(served.folder).pictures)).some((name) => /^[\da-f-]+\.part$/.test(name)),
    )
    const ending = served.stop()
    await until('no connection is accepted', async () =>
      connectTo(served).then(
        () => false,
        () => true,
      ),
    )
    await client.send(body.subarray(-10).toString())
    expect((await client.answer()).status).toBe(400)
    expect((await ending).status).toBe(0)
    expect(pids.map(isRunning)).toEqual([false, false])
  })

  test('--workers takes precedence over SKILLDOCK_WORKERS, and workers exit when the process that writes is killed', async () => {
    const served = await startServing({ SKILLDOCK_WORKERS: '1' })
    const pids = await workersOf(served.pid)
    expect(pids).toHaveLength(2)
    served.kill('SIGKILL')
    await until('the workers are gone', () => pids.every((pid) => !isRunning(pid)))
  })
})

test.each(['0', 'two', '65', ''])('an invalid number of workers is refused: %o', async (value) => {
  const { status, stderr } = await skilldockHere(temporaryFolder(), ['serve', '--workers', value])
  expect([status, stderr]).toEqual([2, expect.stringContaining('Use a number from 1 to 64, or auto.')])
})

test('an invalid SKILLDOCK_WORKERS is refused by its name', async () => {
  const { status, stderr } = await skilldockHere(temporaryFolder(), ['serve'], { SKILLDOCK_WORKERS: 'two' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('Invalid SKILLDOCK_WORKERS: "two".')])
})
