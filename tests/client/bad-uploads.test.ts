import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ClientError } from '../../src/client/client-error.ts'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { digestOf } from '../../src/client/installed/installed-skills.ts'
import { createRegistry } from '../../src/client/registry/registry.ts'
import type { Submission } from '../../src/client/registry/submission-body.ts'
import { submit } from '../../src/client/registry/submit.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import {
  answerWith,
  cutAfter,
  cutInBody,
  sendsSlowly,
  endless,
  passOn,
  refuseWith,
  neverResponds,
  startHostileServer,
} from '../support/client/hostile-server.ts'
import type { Behavior, HostileServer, SeenRequest } from '../support/client/hostile-server.ts'
import { call, manifest } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'
import { selfSigned } from '../support/server/self-signed.ts'

/** Bytes count as sent once the system has buffered them, and it buffers several megabytes at once. */
const size = 16_000_000
const upload = /\/publish$/
const mine = /\/mine\b/

let app: TestRegistry
let bad: HostileServer
let small: Buffer<ArrayBuffer>
let large: Buffer<ArrayBuffer>
beforeAll(async () => {
  app = await startTestRegistry()
  bad = await startHostileServer(app)
  small = Buffer.from(padModule(app.wasm, 200_000).buffer)
  large = Buffer.from(padModule(app.wasm, size).buffer)
  // Starts the helper process that checks modules.
  await app.submit()
})
afterAll(async () => {
  await bad.stop()
  await app.stop()
})
beforeEach(() => bad.reset())

let names = 0
/** A release that has not been submitted before. */
function newSubmission(module = small): Submission {
  names += 1
  const { name, version, ...rest } = manifest({ name: `upload-${names}` })
  const manifestText = JSON.stringify({ name, version, ...rest })
  return { name, version, manifestText, module, sha256: digestOf(module) }
}

interface Sending {
  submission?: Submission
  url?: string
  idleTimeoutMs?: number
  totalTimeoutMs?: number
  signal?: AbortSignal
  onProgress?(done: number): void
}

/** Submits a release and returns the messages about a lost response. */
async function send(options: Sending = {}): Promise<string[]> {
  const lost: string[] = []
  const registry = createRegistry(new URL(options.url ?? bad.url), () => Promise.resolve(app.developer), {
    signal: options.signal ?? new AbortController().signal,
    idleTimeoutMs: options.idleTimeoutMs ?? 5000,
    totalTimeoutMs: options.totalTimeoutMs ?? 60_000,
    signIn: 'Sign in with: skill login',
  })
  await submit(registry, options.submission ?? newSubmission(), {
    onProgress: options.onProgress ?? (() => {}),
    onLost: ({ message }) => lost.push(message),
  })
  return lost
}

async function refused(options: Sending = {}): Promise<ClientError> {
  const error: unknown = await send(options).catch((thrown: unknown) => thrown)
  if (!(error instanceof ClientError)) throw new Error('The submission did not fail', { cause: error })
  return error
}

const uploads = (): SeenRequest[] => bad.seen.filter(({ path }) => upload.test(path))

/** How many releases of this name the registry has. */
async function countStored({ name }: Submission): Promise<number> {
  const reply = await call<List>(`${app.api}/mine`, { token: app.developer })
  return reply.body.items.filter((release) => release.name === name).length
}

/** The registry accepts the release, but its response is lost. */
const loseAnswer =
  (cut: Behavior): Behavior =>
  (request, response) =>
    passOn(app.registry, (answer) => {
      answer.resume()
      answer.on('end', () => cut(request, response))
    })(request, response)
const nothingMore: Behavior = (_request, response) => response.socket?.destroy()
const half: Behavior = (_request, response) =>
  response.socket?.write('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"id":', () =>
    response.socket?.destroy(),
  )
const silence: Behavior = () => {}
const badGateway: Behavior = (_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')

describe('a lost response', () => {
  test.each<[string, Behavior, RegExp]>([
    ['before it begins', nothingMore, /No valid response from \S+: .*(closed|hang up)/],
    ['in the middle', half, /No valid response from \S+: the connection was closed/],
    ['replaced by a proxy error', badGateway, /answered with status 502/],
    ['by a timeout', silence, /No valid response from \S+: the request timed out/],
    [
      'replaced by a page',
      (_request, response) => response.end('<p>Thank you</p>'),
      /not in the format of a registry/,
    ],
    [
      'replaced by the response to another submission',
      (_request, response) =>
        response
          .writeHead(201)
          .end(
            JSON.stringify({ id: 1, status: 'pending', name: 'x', version: '1.0.0', sha256: '0'.repeat(64) }),
          ),
      /confirmed a different release: x@1\.0\.0/,
    ],
  ])('%s: the release is found among your releases and not sent again', async (_how, behavior, lost) => {
    bad.when(upload, loseAnswer(behavior))
    const submission = newSubmission()
    const idleTimeoutMs = behavior === silence ? 3000 : 30_000
    expect(await send({ submission, idleTimeoutMs })).toEqual([expect.stringMatching(lost)])
    expect(uploads()).toHaveLength(1)
    expect(await countStored(submission)).toBe(1)
  })

  test('is looked up again while the registry is still processing the upload', async () => {
    const submission = newSubmission()
    let times = 0
    bad.when(mine, (request, response) => {
      times += 1
      const behavior = times < 3 ? answerWith(200, '{"items":[],"total":0}') : passOn(app.registry)
      behavior(request, response)
    })
    bad.when(upload, loseAnswer(nothingMore))
    await send({ submission })
    expect(times).toBe(3)
    expect(uploads()).toHaveLength(1)
  })

  test('to a release that did not arrive: says that it is not there yet', async () => {
    bad.when(upload, cutAfter(''))
    const submission = newSubmission()
    expect(await refused({ submission })).toMatchObject({
      exitCode: exitCodes.unreachable,
      code: 'ANSWER_LOST',
      message: expect.stringMatching(
        `${submission.name}@1.0.0 was uploaded, but is not among your releases yet\\.$`,
      ),
      next: `Check with: skill status ${submission.name}@1.0.0. If it is not there, publish it again.`,
    })
    expect(uploads()).toHaveLength(1)
    expect(await countStored(submission)).toBe(0)
  })

  test('that cannot be looked up: says that the outcome is unknown', async () => {
    bad.when(upload, loseAnswer(nothingMore))
    bad.when(mine, nothingMore)
    const submission = newSubmission()
    expect(await refused({ submission })).toMatchObject({
      exitCode: exitCodes.unreachable,
      code: 'ANSWER_LOST',
      message: expect.stringMatching('it is not known whether it arrived.'),
      next: expect.stringMatching(`skill status ${submission.name}@1.0.0`),
    })
    expect(uploads()).toHaveLength(1)
    expect(bad.seen).toHaveLength(5)
  })

  test.each<[string, Behavior, string]>([
    ['that never ends', endless, 'ANSWER_LOST'],
    ['that arrives byte by byte', sendsSlowly(20), 'ANSWER_LOST'],
  ])('%s times out', async (_how, behavior, code) => {
    bad.when(upload, behavior)
    expect(await refused({ totalTimeoutMs: 1500 })).toMatchObject({ code })
    expect(uploads()).toHaveLength(1)
  })
})

describe('an upload that does not arrive', () => {
  test('is not repeated if the connection is cut halfway', async () => {
    bad.when(upload, cutInBody(100_000))
    const submission = newSubmission(large)
    expect(await refused({ submission })).toMatchObject({
      exitCode: exitCodes.unreachable,
      code: 'UNREACHABLE',
      message: expect.stringMatching(`${submission.name}@1.0.0 was only partly uploaded\\.$`),
      next: 'Check the address and your network, then try again.',
    })
    expect(bad.seen).toHaveLength(1)
    expect(await countStored(submission)).toBe(0)
  })

  test('times out if the server reads nothing', async () => {
    bad.when(upload, (_request, response) => response.writeContinue())
    expect(await refused({ submission: newSubmission(large), idleTimeoutMs: 300 })).toMatchObject({
      exitCode: exitCodes.unreachable,
      message: expect.stringMatching(/the request timed out\. \S+ was only partly uploaded/),
      next: expect.stringMatching('SKILL_TIMEOUT'),
    })
  })

  test('is not started if nothing listens or the certificate is not trusted', async () => {
    const tls = await startHostileServer({ registry: app.registry, tls: selfSigned('skills') })
    try {
      for (const url of [tls.url, 'http://127.0.0.1:9']) {
        expect(await refused({ url })).toMatchObject({
          exitCode: exitCodes.unreachable,
          code: 'UNREACHABLE',
          message: expect.stringMatching(/ upload-\d+@1\.0\.0 was not uploaded\.$/),
        })
      }
      expect(tls.seen).toEqual([])
    } finally {
      await tls.stop()
    }
  })

  test('starts after a second if the server does not answer Expect: 100-continue', async () => {
    bad.when(upload, (request, response) => {
      const { expect: _asked, ...headers } = request.headers
      request.headers = headers
      passOn(app.registry)(request, response)
    })
    const submission = newSubmission()
    await send({ submission, idleTimeoutMs: 30_000 })
    expect(await countStored(submission)).toBe(1)
  })
})

test('after 417 from a proxy, the body is sent without Expect', async () => {
  bad.when(upload, (request, response) => {
    const behavior = request.headers.expect === undefined ? passOn(app.registry) : answerWith(417, '')
    behavior(request, response)
  })
  const submission = newSubmission()
  await send({ submission })
  expect(uploads().map(({ bodyBytes }) => bodyBytes > 0)).toEqual([false, true])
  expect(await countStored(submission)).toBe(1)
})

describe('an error', () => {
  test.each<[string, Behavior, object]>([
    [
      'about the token',
      refuseWith(401, 'TOKEN_EXPIRED'),
      { exitCode: exitCodes.notAllowed, code: 'TOKEN_EXPIRED', next: 'Sign in with: skill login' },
    ],
    [
      'about the scope of the token',
      refuseWith(403, 'SCOPE_INSUFFICIENT'),
      { exitCode: exitCodes.notAllowed, next: 'Sign in with: skill login' },
    ],
    [
      'about the name',
      refuseWith(403, 'NAME_TAKEN'),
      { exitCode: exitCodes.notAllowed, message: 'The registry says NAME_TAKEN.', next: null },
    ],
    [
      'about the version',
      refuseWith(409, 'VERSION_EXISTS'),
      { exitCode: exitCodes.refused, code: 'VERSION_EXISTS' },
    ],
    [
      'about the daily quota',
      refuseWith(429, 'QUOTA_EXCEEDED', { 'retry-after': '14400' }),
      {
        exitCode: exitCodes.refused,
        retryAfter: 14_400,
        next: expect.stringMatching(/^Try again in 4 h 0 min \(at \d\d:\d\d( tomorrow)?\)\.$/),
      },
    ],
    [
      'about too many requests',
      refuseWith(429, 'TOO_MANY_REQUESTS', { 'retry-after': '2' }),
      { exitCode: exitCodes.refused, next: 'Try again in 2 s.' },
    ],
    [
      'from a registry that is down',
      refuseWith(503, 'DATABASE_UNAVAILABLE', { 'retry-after': '5' }),
      {
        exitCode: exitCodes.unreachable,
        message: expect.stringMatching(
          /^The registry says DATABASE_UNAVAILABLE\. upload-\d+@1\.0\.0 was not uploaded\.$/,
        ),
        next: 'Try again in 5 s.',
      },
    ],
    [
      'because of a redirect',
      answerWith(308, '', { location: '/elsewhere' }),
      { exitCode: exitCodes.mismatch, code: 'REDIRECT' },
    ],
  ])('%s comes before the upload, and nothing is retried', async (_of, behavior, expectedError) => {
    bad.when(upload, behavior)
    expect(await refused()).toMatchObject(expectedError)
    expect(bad.seen).toHaveLength(1)
    expect(bad.seen[0]?.bodyBytes).toBe(0)
  })

  test('that arrives during the upload is shown, and the rest is not sent', async () => {
    bad.when(upload, (request, response) => {
      request.once('data', () => {
        request.pause()
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end('{"error":"The part wasm is too large for today.","code":"PACKAGE_TOO_LARGE"}')
      })
      response.writeContinue()
      request.resume()
    })
    let sent = 0
    expect(
      await refused({ submission: newSubmission(large), onProgress: (done) => (sent = done) }),
    ).toMatchObject({
      exitCode: exitCodes.refused,
      message: 'The part wasm is too large for today.',
    })
    expect(sent).toBeLessThan(size)
    expect(bad.seen).toHaveLength(1)
  })

  test('with a redirect does not send the token to the new location', async () => {
    const other = await startHostileServer(app)
    try {
      bad.when(upload, answerWith(307, '', { location: `${other.url}/api/marketplace/publish` }))
      expect(await refused()).toMatchObject({ code: 'REDIRECT' })
      expect(other.seen).toEqual([])
    } finally {
      await other.stop()
    }
  })
})

describe('Ctrl+C', () => {
  test('in the middle of the upload reports that nothing was submitted', async () => {
    const ending = new AbortController()
    const submission = newSubmission(large)
    const onProgress = (done: number): void => {
      if (done > 100_000) ending.abort()
    }
    expect(await refused({ submission, signal: ending.signal, onProgress })).toMatchObject({
      exitCode: exitCodes.interrupted,
      code: 'INTERRUPTED',
      message: expect.stringMatching(
        `${submission.name}@1.0.0 was only partly uploaded, so it was not submitted.`,
      ),
    })
    expect(await countStored(submission)).toBe(0)
  })

  test('while waiting for the response says how to check the outcome', async () => {
    const ending = new AbortController()
    const submission = newSubmission()
    bad.when(upload, (request, response) => {
      request.on('end', () => ending.abort())
      neverResponds(request, response)
    })
    expect(await refused({ submission, signal: ending.signal, idleTimeoutMs: 30_000 })).toMatchObject({
      exitCode: exitCodes.interrupted,
      message: expect.stringMatching('was uploaded, but it is not known whether it was accepted.'),
      next: `To check, run: skill status ${submission.name}@1.0.0`,
    })
  })

  test('while looking up a lost response says the same', async () => {
    const ending = new AbortController()
    bad.when(upload, cutAfter(''))
    bad.when(mine, () => ending.abort())
    expect(await refused({ signal: ending.signal })).toMatchObject({
      exitCode: exitCodes.interrupted,
      message: expect.stringMatching('it is not known whether it was accepted.'),
    })
  })
})
