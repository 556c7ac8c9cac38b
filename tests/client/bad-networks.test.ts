import { createHash } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { createRegistry } from '../../src/client/registry/registry.ts'
import { releaseRoutes } from '../../src/shared/contracts/releases.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { cleanUpClients, runClient } from '../support/client/client.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { folderState } from '../support/server/folder-state.ts'
import {
  answerWith,
  changeJson,
  cutAfter,
  sendsSlowly,
  endless,
  passOn,
  refuseWith,
  neverResponds,
  startHostileServer,
} from '../support/client/hostile-server.ts'
import type { Behavior, HostileServer } from '../support/client/hostile-server.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { selfSigned } from '../support/server/self-signed.ts'
import { quietManifest, stepModule, writeProject } from '../support/client/skill-project.ts'

const size = 200_000
const host = /127\.0\.0\.1:\d+/

let app: TestRegistry
let bad: HostileServer
let wasm: Uint8Array<ArrayBuffer>
/** A folder in which another skill is already installed. */
let installed: string
beforeAll(async () => {
  app = await startTestRegistry()
  bad = await startHostileServer(app)
  wasm = padModule(app.wasm, size)
  await app.release({ name: 'other-skill' }, 'approved')
  await app.decide(await app.submit({ name: 'big-skill' }, app.developer, wasm), 'approved')
  installed = temporaryFolder()
  expect(await skill(['install', 'other-skill'], installed)).toMatchObject({ status: exitCodes.done })
})
afterAll(async () => {
  await bad.stop()
  await app.stop()
  await cleanUpClients()
})
beforeEach(() => bad.reset())

interface ErrorOutput {
  error: { message: string; code: string; exitCode: number; next?: string; retryAfter: number | null }
}

const skill = (
  args: readonly string[],
  folder: string,
  env: Record<string, string> = {},
  address = bad.url,
): Promise<HereEnded> => skillHere(args, { folder, env: { SKILL_REGISTRY: address, ...env } })

/** Runs a command where a skill is already installed, and expects it to fail without changing anything. */
async function refused(
  args: readonly string[],
  env: Record<string, string> = {},
  address = bad.url,
): Promise<ErrorOutput['error']> {
  const folder = temporaryFolder()
  await cp(installed, folder, { recursive: true })
  const before = await folderState(folder)
  const { status, stdout } = await skill([...args, '--json'], folder, env, address)
  expect(await folderState(folder)).toEqual(before)
  const { error } = JSON.parse(stdout) as ErrorOutput
  expect(error.exitCode).toBe(status)
  expect(status).not.toBe(exitCodes.done)
  expect(error.message).toMatch(/^[^\n]+\.$/)
  return error
}

/** The requests that can go wrong, and the commands that send them. */
const places = {
  search: { path: /\/skills\?/, args: ['search', 'big'] },
  'install (metadata)': { path: /\/skills\/big-skill$/, args: ['install', 'big-skill'] },
  'install (module)': { path: /\/package$/, args: ['install', 'big-skill'] },
}
const everyPlace = Object.entries(places).map(([name, place]) => ({ name, ...place }))

const okHeaders = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const shortTimeout = { SKILL_TIMEOUT: '0.3' }

describe.each(everyPlace)('$name', ({ path, args }) => {
  test.each<[string, Behavior]>([
    ['before the response', cutAfter('')],
    ['in the middle of the headers', cutAfter('HTTP/1.1 200 OK\r\ncontent-le')],
    [
      'in the middle of a body with a Content-Length',
      cutAfter(`${okHeaders}content-length: 200000\r\n\r\n{"items":[`),
    ],
    [
      'by a switch to another protocol',
      cutAfter('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ],
    ['in the middle of a chunked body', cutAfter(`${okHeaders}transfer-encoding: chunked\r\n\r\n5\r\n{"ite`)],
  ])('says that the connection was closed %s', async (_when, behavior) => {
    bad.when(path, behavior)
    expect(await refused(args)).toMatchObject({
      exitCode: exitCodes.unreachable,
      code: 'UNREACHABLE',
      message: expect.stringMatching(/^No valid response from 127\.0\.0\.1:\d+: .*(closed|hang up)/),
      next: 'Check the address and your network, then try again.',
    })
  })

  test.each<[string, Behavior]>([
    ['is silent from the start', neverResponds],
    ['is silent in the middle of the headers', (_request, response) => response.socket?.write('HTTP/1.1 2')],
    [
      'is silent in the middle of the body',
      (_request, response) => response.socket?.write(`${okHeaders}content-length: 200000\r\n\r\n{"items":[`),
    ],
  ])('gives up on a registry that %s', async (_how, behavior) => {
    bad.when(path, behavior)
    expect(await refused(args, shortTimeout)).toMatchObject({
      exitCode: exitCodes.unreachable,
      message: expect.stringMatching('the request timed out'),
      next: 'Try again, or set a longer SKILL_TIMEOUT (in seconds).',
    })
  })

  test('does not follow a redirect', async () => {
    bad.when(path, answerWith(302, '', { location: `${app.registry}/else` }))
    expect(await refused(args)).toMatchObject({
      exitCode: exitCodes.mismatch,
      code: 'REDIRECT',
      message: expect.stringMatching(/redirects to http:.*\/else, but redirects are not followed\.$/),
      next: 'If you trust that address, pass it with --registry or SKILL_REGISTRY.',
    })
    expect(bad.seen.some((request) => request.path.endsWith('/else'))).toBe(false)
  })

  test.each([500, 502])('treats %i as a registry that is down', async (status) => {
    bad.when(path, answerWith(status, '<h1>Bad gateway</h1>', { 'content-type': 'text/html' }))
    expect(await refused(args)).toMatchObject({
      exitCode: exitCodes.unreachable,
      message: expect.stringMatching(`answered with status ${status} and no readable error message`),
      next: expect.stringMatching('Try again in a moment'),
    })
  })
})

describe.each(everyPlace)('$name, busy', ({ path, args }) => {
  const inASecond = (): string => new Date(Date.now() + 1000).toUTCString()

  test.each<[string, number, () => Record<string, string>]>([
    ['429 with seconds', 429, () => ({ 'retry-after': '0' })],
    ['429 with a date', 429, () => ({ 'retry-after': inASecond() })],
    ['503 with seconds', 503, () => ({ 'retry-after': '0' })],
  ])('%s is retried after the wait', async (_what, status, headers) => {
    let times = 0
    bad.when(path, (request, response) => {
      times += 1
      const behavior = times > 1 ? passOn(app.registry) : refuseWith(status, 'TOO_MANY_REQUESTS', headers())
      behavior(request, response)
    })
    const folder = temporaryFolder()
    const { status: ended, stderr } = await skill(args, folder)
    expect(ended).toBe(exitCodes.done)
    expect(stderr).toMatch(/The registry says TOO_MANY_REQUESTS\. Waiting for [012] s\./)
    expect(times).toBe(2)
  })

  test('a registry that is always busy is tried four times', async () => {
    bad.when(path, refuseWith(429, 'TOO_MANY_REQUESTS', { 'retry-after': '0' }))
    expect(await refused(args)).toMatchObject({
      exitCode: exitCodes.refused,
      code: 'TOO_MANY_REQUESTS',
      retryAfter: 0,
      next: 'Try again in 1 s.',
    })
    expect(bad.seen.filter((request) => path.test(request.path))).toHaveLength(4)
  })

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'with a long wait',
      { 'retry-after': '7200' },
      /^Try again in 2 h 0 min \(at \d\d:\d\d( tomorrow)?\)\.$/,
    ],
    ['without Retry-After', {}, /^Try again in a few minutes\.$/],
    ['with an invalid Retry-After', { 'retry-after': 'soon' }, /^Try again in a few minutes\.$/],
  ])('429 %s fails immediately', async (_when, headers, next) => {
    bad.when(path, refuseWith(429, 'QUOTA_EXCEEDED', headers))
    expect(await refused(args)).toMatchObject({
      exitCode: exitCodes.refused,
      code: 'QUOTA_EXCEEDED',
      message: 'The registry says QUOTA_EXCEEDED.',
      next: expect.stringMatching(next),
    })
    expect(bad.seen.filter((request) => path.test(request.path))).toHaveLength(1)
  })
})

describe.each([
  { name: 'search', ...places.search },
  { name: 'install', ...places['install (metadata)'] },
])('$name, from a server that is not a registry', ({ path, args }) => {
  test.each<[string, Behavior, string]>([
    ['a page', answerWith(200, '<!doctype html><title>Welcome</title>'), 'ANSWER_UNREADABLE'],
    ['truncated JSON', answerWith(200, '{"items":['), 'ANSWER_UNREADABLE'],
    ['other JSON', answerWith(200, '{"hello":"world"}'), 'ANSWER_UNREADABLE'],
    ['an empty body', answerWith(200, ''), 'ANSWER_UNREADABLE'],
    ['an endless body', endless, 'ANSWER_TOO_LONG'],
    ['an HTML page with status 404', answerWith(404, '<h1>Not found</h1>'), 'HTTP_404'],
  ])('%s is not accepted as a response', async (_what, behavior, code) => {
    bad.when(path, behavior)
    const error = await refused(args)
    expect(error).toMatchObject({ exitCode: exitCodes.mismatch, code })
    expect(error.message).toMatch(host)
    expect(error.next).toMatch('Check that this is the address of a Skilldock registry.')
  })

  test('a response that is not HTTP is reported as such', async () => {
    bad.when(path, cutAfter('SSH-2.0-OpenSSH_9.2\r\n'))
    expect(await refused(args)).toMatchObject({
      exitCode: exitCodes.unreachable,
      message: expect.stringMatching('the response is not HTTP'),
    })
  })
})

test('a response that arrives byte by byte hits the total timeout', async () => {
  bad.when(/\/skills\?/, sendsSlowly(20))
  const options = {
    signal: new AbortController().signal,
    idleTimeoutMs: 30_000,
    totalTimeoutMs: 300,
    signIn: '',
  }
  const registry = createRegistry(new URL(bad.url), () => Promise.resolve(null), options)
  await expect(registry.call(releaseRoutes.listSkills, { query: { q: 'big' } })).rejects.toMatchObject({
    exitCode: exitCodes.unreachable,
    message: expect.stringMatching('it is too slow'),
    next: expect.stringMatching('SKILL_TIMEOUT'),
  })
})

describe('a registry newer than the client', () => {
  test('may send additional fields anywhere', async () => {
    const more = (release: { manifest: object }): object => ({
      ...release,
      rating: 5,
      manifest: { ...release.manifest, homepage: 'https://example.com' },
    })
    bad.when(
      places.search.path,
      changeJson(app.registry, ({ items }: { items: { manifest: object }[] }) => ({
        items: items.map(more),
        total: 1,
      })),
    )
    bad.when(/\/skills\/big-skill$/, changeJson(app.registry, more))
    const folder = temporaryFolder()
    const found = await skill(['search', 'big', '--json'], folder)
    expect(found.status).toBe(exitCodes.done)
    expect(JSON.parse(found.stdout)).toMatchObject({ items: [{ name: 'big-skill' }] })
    expect((await skill(['install', 'big-skill'], folder)).status).toBe(exitCodes.done)
  })

  test('may send unknown error codes and fields', async () => {
    bad.when(/\/skills\/big-skill$/, answerWith(409, '{"error":"Not today.","code":"MOON_FULL","moon":1}'))
    expect(await refused(['install', 'big-skill'])).toMatchObject({
      exitCode: exitCodes.refused,
      code: 'MOON_FULL',
      message: 'Not today.',
    })
  })
})

describe('a download that is not the reviewed module', () => {
  const send =
    (bytes: () => Uint8Array, headersFor: (length: number) => Record<string, number | string>): Behavior =>
    (request, response) =>
      answerWith(200, bytes(), { 'content-type': 'application/wasm', ...headersFor(bytes().length) })(
        request,
        response,
      )
  const exact = (length: number) => ({ 'content-length': length })
  const inChunks = (): Record<string, string> => ({ 'transfer-encoding': 'chunked' })
  const flipped = (): Uint8Array => {
    const bytes = Uint8Array.from(wasm)
    bytes[bytes.length - 1] = 1
    return bytes
  }

  test.each<[string, Behavior, string]>([
    ['one changed byte', send(flipped, exact), 'its SHA-256 is [a-f0-9]{64}, not [a-f0-9]{64}'],
    ['a page', send(() => Buffer.from('<html>'), exact), `it has 6 bytes, not ${size}`],
    [
      'a part, with the length of the part',
      send(() => wasm.subarray(0, 9), exact),
      `it has 9 bytes, not ${size}`,
    ],
    ['a part, chunked', send(() => wasm.subarray(0, 9), inChunks), `it has 9 bytes, not ${size}`],
    [
      'one byte too many',
      send(() => Buffer.concat([wasm, Buffer.from('x')]), exact),
      'it is longer than 200000 bytes',
    ],
    ['endless bytes', endless, 'it is longer than 200000 bytes'],
  ])('%s', async (_what, behavior, reason) => {
    bad.when(/\/package$/, behavior)
    expect(await refused(['install', 'big-skill'])).toMatchObject({
      exitCode: exitCodes.mismatch,
      code: 'DIGEST_MISMATCH',
      message: expect.stringMatching(
        new RegExp(`^The download of big-skill@1.0.0 is not the reviewed module: .*${reason}`),
      ),
      next: "It was discarded. Contact the registry's administrator.",
    })
  })

  test('bytes after the Content-Length are ignored', async () => {
    bad.when(/\/package$/, (_request, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`)
      response.socket?.end(Buffer.concat([wasm, Buffer.from('HTTP/1.1 200 OK\r\n\r\nmore')]))
    })
    const folder = temporaryFolder()
    expect((await skill(['install', 'big-skill'], folder)).status).toBe(exitCodes.done)
    expect(await readFile(join(folder, 'skills', 'big-skill', 'skill.wasm'))).toEqual(Buffer.from(wasm))
  })

  test('a digest that was not approved', async () => {
    const other = createHash('sha256').update('other').digest('hex')
    bad.when(
      /\/skills\/big-skill$/,
      changeJson(app.registry, (release: object) => ({ ...release, sha256: other })),
    )
    expect(await refused(['install', 'big-skill'])).toMatchObject({
      exitCode: exitCodes.mismatch,
      code: 'ATTESTATION_INVALID',
    })
    expect(bad.seen.some(({ path }) => path.endsWith('/package'))).toBe(false)
  })

  test.each<[string, (release: object) => object]>([
    ['with another name', (release) => ({ ...release, name: 'other-skill' })],
    ['that is still pending', (release) => ({ ...release, status: 'pending' })],
  ])('a release %s', async (_what, change) => {
    bad.when(/\/skills\/big-skill$/, changeJson(app.registry, change))
    expect(await refused(['install', 'big-skill'])).toMatchObject({
      exitCode: exitCodes.mismatch,
      code: 'OTHER_RELEASE',
    })
    expect(bad.seen.some(({ path }) => path.endsWith('/package'))).toBe(false)
  })
})

describe('the connection to the registry', () => {
  /** An address that is not on this computer. */
  const far = 'http://skills.example.com'

  test.each(everyPlace)(
    'plain HTTP to another computer is refused before a byte is sent: $name',
    async ({ args }) => {
      expect(await refused(args, {}, far)).toMatchObject({
        exitCode: exitCodes.usage,
        code: 'REGISTRY_ADDRESS',
        message: 'Plain HTTP is not secure, and skills.example.com is not this computer.',
        next: 'Use https://skills.example.com.',
      })
    },
  )

  test('no release and no token is sent to another computer over plain HTTP', async () => {
    const folder = await writeProject({ manifest: quietManifest(), wasm: await stepModule() })
    for (const args of [['publish', '--no-examples'], ['mine'], ['status']]) {
      const { status, stderr } = await skill(args, folder, { SKILL_TOKEN: app.developer }, far)
      expect(status).toBe(exitCodes.usage)
      expect(stderr).toMatch('Use https://skills.example.com.\n')
    }
  })

  test('a lock file cannot make the client use plain HTTP', async () => {
    const folder = temporaryFolder()
    await cp(installed, folder, { recursive: true })
    const lock = await readFile(`${folder}/skill-lock.json`, 'utf8')
    await writeFile(`${folder}/skill-lock.json`, lock.replace(bad.url, far))
    const before = await folderState(folder)
    const { status, stderr } = await skill(['install'], folder)
    expect(status).toBe(exitCodes.usage)
    expect(stderr).toMatch('Use https://skills.example.com.')
    expect(await folderState(folder)).toEqual(before)
    expect(bad.seen).toEqual([])
  })

  test('a self-signed certificate is not trusted', async () => {
    const tls = await startHostileServer({ registry: app.registry, tls: selfSigned('skills') })
    try {
      for (const { args } of everyPlace) {
        expect(await refused(args, {}, tls.url)).toMatchObject({
          exitCode: exitCodes.unreachable,
          message: expect.stringMatching('its certificate is not from a trusted authority'),
          next: 'If you trust the certificate, set NODE_EXTRA_CA_CERTS to its file.',
        })
      }
      expect(tls.seen).toEqual([])
    } finally {
      await tls.stop()
    }
  })

  test('a self-signed certificate is trusted if its file is configured, including for publishing', async () => {
    const pair = selfSigned('skills')
    const tls = await startHostileServer({ registry: app.registry, tls: pair })
    const manifest = quietManifest({ name: 'over-tls' })
    const cwd = await writeProject({ manifest, wasm: await stepModule() })
    const file = join(temporaryFolder(), 'cert.pem')
    await writeFile(file, pair.cert)
    const env = { SKILL_REGISTRY: tls.url, SKILL_TOKEN: app.developer, NODE_EXTRA_CA_CERTS: file }
    try {
      for (const args of [
        ['publish', '--no-examples'],
        ['install', 'big-skill'],
      ]) {
        expect(await runClient(args, { cwd, env })).toMatchObject({ status: exitCodes.done })
      }
      const upload = tls.seen.find(({ method }) => method === 'POST')
      expect(upload?.headers.expect).toBe('100-continue')
      expect(upload?.body?.length).toBe(Number(upload?.headers['content-length']))
    } finally {
      await tls.stop()
    }
  })

  test('HTTPS to a plain HTTP port and a closed port are reported', async () => {
    expect(await refused(['search'], {}, bad.url.replace('http:', 'https:'))).toMatchObject({
      exitCode: exitCodes.unreachable,
      message: expect.stringMatching('it does not use HTTPS'),
    })
    const server = createServer()
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    expect(await refused(['search'], {}, `http://127.0.0.1:${port}`)).toMatchObject({
      exitCode: exitCodes.unreachable,
      message: `No valid response from 127.0.0.1:${port}: the connection was refused.`,
    })
  })

  test('a token is sent to no other server and to no endpoint that does not need it', async () => {
    const other = await startHostileServer(app)
    try {
      const token = { SKILL_TOKEN: app.developer }
      bad.when(/\/mine\b/, answerWith(307, '', { location: `${other.url}/api/skilldock/mine` }))
      expect(await refused(['mine'], token)).toMatchObject({ exitCode: exitCodes.mismatch, code: 'REDIRECT' })
      expect(bad.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${app.developer}`])
      expect(other.seen).toEqual([])
      bad.reset()
      await skill(['search'], temporaryFolder(), token)
      await skill(['install', 'big-skill'], temporaryFolder(), token)
      expect(bad.seen.length).toBeGreaterThan(2)
      expect(bad.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
    } finally {
      await other.stop()
    }
  })

  test('Ctrl+C stops a download and leaves nothing behind', async () => {
    const ending = new AbortController()
    bad.when(/\/package$/, (_request, response) => {
      response.writeHead(200, { 'content-length': size })
      response.write(wasm.subarray(0, 1000), () => ending.abort())
    })
    const folder = temporaryFolder()
    const options = { folder, env: { SKILL_REGISTRY: bad.url }, signal: ending.signal }
    const { status, stderr } = await skillHere(['install', 'big-skill'], options)
    expect(status).toBe(exitCodes.interrupted)
    expect(stderr).toBe('skill: Interrupted.\n')
    expect(await folderState(folder)).toEqual({})
  })
})
