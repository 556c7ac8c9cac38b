import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import type { Part } from '../support/server/multipart.ts'
import { call, manifest } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
/** A server with a quota of one submission a day. */
let strict: TestRegistry
let alice: DeskClient
let number = 0

beforeAll(async () => {
  ;[app, strict] = await Promise.all([
    startTestRegistry(),
    startTestRegistry({ config: { dailySubmissions: 1 } }),
  ])
  alice = await signIn(app, 'alice')
})
afterAll(() => Promise.all([app.stop(), strict.stop()]))

/** A manifest with an unused name and version. */
const fresh = (): ReturnType<typeof manifest> => {
  number += 1
  return manifest({ name: `skill-${number}` })
}
const good = (): Part[] => [manifestPart(fresh()), wasmPart(app.wasm)]
const path = '/desk/api/own/releases'

interface Answer {
  status: number
  retryAfter: string | null
  body: { id?: number; code?: string; error?: string; issues?: { path: string }[] }
}

const submit = async (
  parts: readonly Part[],
  client: DeskClient = alice,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const response = await fetch(`${client.origin}${path}`, {
    method: 'POST',
    headers: {
      'content-type': multipartType,
      authorization: client.authorization,
      origin: client.origin,
      ...headers,
    },
    body: multipartBody(parts),
  })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Answer['body'],
  }
}

const own = async (client = alice): Promise<OwnRelease[]> =>
  (await client.get<{ items: OwnRelease[] }>('/own/releases')).body.items

const code = async (answer: Promise<Answer>): Promise<[status: number, code: string | undefined]> => {
  const { status, body } = await answer
  return [status, body.code]
}

describe('submitting a release at the desk', () => {
  test('equals a submission with a token: pending, queued and checked', async () => {
    const sent = fresh()
    const { status, body } = await submit([manifestPart(sent), wasmPart(app.wasm)])
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'pending', name: sent.name, version: '1.0.0' })
    const [newest] = await own()
    expect(newest).toMatchObject({ id: body.id, status: 'pending', size: app.wasm.length })
    expect(newest?.place).toBe(newest?.waiting)
    const mine = await call<List>(`${app.api}/mine`, { token: app.developer })
    expect(mine.body.items[0]).toMatchObject({ id: body.id, manifest: sent, publisher: 'Alice' })
  })

  test('an administrator can submit releases', async () => {
    const rita = await signIn(app, 'rita')
    const { status, body } = await submit(good(), rita)
    expect(status).toBe(201)
    expect((await own(rita)).map(({ id }) => id)).toEqual([body.id])
  })

  test('an invalid submission is refused with its code and fields, and nothing is stored', async () => {
    const taken = fresh()
    const bob = await app.token({ subject: 'bob' })
    await app.submit(taken, bob)
    const [before, files] = [await own(), await app.packageFiles()]

    const wrong = await submit([manifestPart({ ...fresh(), version: '1', license: '' }), wasmPart(app.wasm)])
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_MANIFEST'])
    expect(wrong.body.issues?.map((issue) => issue.path)).toEqual(['version', 'license'])
    const noModule = await submit([manifestPart(fresh()), wasmPart(Buffer.from('no module at all'))])
    expect([noModule.status, noModule.body.code]).toEqual([400, 'INVALID_PACKAGE'])
    expect(noModule.body.issues?.length).toBeGreaterThan(0)
    expect(await code(submit([manifestPart(taken), wasmPart(app.wasm)]))).toEqual([403, 'NAME_TAKEN'])
    const again = manifest({ name: before[0]?.name ?? '', version: before[0]?.version ?? '' })
    expect(await code(submit([manifestPart(again), wasmPart(app.wasm)]))).toEqual([409, 'VERSION_EXISTS'])
    const large = Buffer.from(padModule(app.wasm, 16_777_217))
    expect(await code(submit([manifestPart(fresh()), wasmPart(large)]))).toEqual([400, 'PACKAGE_TOO_LARGE'])
    expect(await code(submit([wasmPart(app.wasm)]))).toEqual([400, 'INVALID_MULTIPART'])

    expect(await own()).toEqual(before)
    expect(await app.packageFiles()).toEqual(files)
  })

  test('a submission requires a session and the origin of the desk', async () => {
    const before = await own()
    expect(await code(submit(good(), alice, { authorization: '' }))).toEqual([401, 'SESSION_MISSING'])
    const bearer = { authorization: `Bearer ${app.developer}` }
    expect(await code(submit(good(), alice, bearer))).toEqual([401, 'SESSION_MISSING'])
    const elsewhere = { origin: 'https://elsewhere.example' }
    expect(await code(submit(good(), alice, elsewhere))).toEqual([403, 'ORIGIN_FORBIDDEN'])
    expect(await own()).toEqual(before)
  })

  test('an aborted upload leaves neither a release nor a file', async () => {
    const [before, files] = [await own(), await app.packageFiles()]
    const body = multipartBody([manifestPart(fresh()), wasmPart(padModule(app.wasm, 1_000_000))])
    const client = await connectRaw(alice.origin)
    const head = requestHead('POST', `${alice.origin}${path}`, {
      'Content-Type': multipartType,
      'Content-Length': body.length,
      Authorization: alice.authorization,
      Origin: alice.origin,
    })
    await client.send(head)
    await client.send(body.subarray(0, 500_000))
    await vi.waitFor(async () => expect((await app.packageFiles()).length).toBe(files.length + 1), 10_000)
    client.destroy()
    await vi.waitFor(async () => expect(await app.packageFiles()).toEqual(files), 10_000)
    expect(await own()).toEqual(before)
    expect((await submit(good())).status).toBe(201)
  })
})

test('the desk and the registry share one quota, and the error says when the next submission is possible', async () => {
  const client = await signIn(strict, 'alice')
  expect((await submit(good(), client)).status).toBe(201)
  const refused = await submit(good(), client)
  expect([refused.status, refused.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
  expect(refused.body.error).toContain('You can submit again in 24 h.')
  expect(Number(refused.retryAfter)).toBeGreaterThan(86_000)
  await expect(strict.submit(fresh())).rejects.toThrow('QUOTA_EXCEEDED')
})

test('the desk and the registry share the slots for concurrent submissions', async () => {
  const narrow = await startTestRegistry({ config: { publishConcurrency: 1 } })
  try {
    const client = await signIn(narrow, 'alice')
    const body = multipartBody([manifestPart(fresh()), wasmPart(padModule(narrow.wasm, 1_000_000))])
    const held = await connectRaw(narrow.registry)
    await held.send(
      requestHead('POST', `${narrow.api}/publish`, {
        'Content-Type': multipartType,
        'Content-Length': body.length,
        Authorization: `Bearer ${narrow.developer}`,
      }),
    )
    await held.send(body.subarray(0, 500_000))
    await vi.waitFor(async () => expect(await narrow.packageFiles()).toHaveLength(1), 10_000)
    const refused = await submit(good(), client)
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    await held.send(body.subarray(500_000))
    expect((await held.answer()).status).toBe(201)
    expect((await submit(good(), client)).status).toBe(201)
    held.destroy()
  } finally {
    await narrow.stop()
  }
})
