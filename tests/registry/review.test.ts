import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { call, review } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let number = 0
const newName = (): string => {
  number += 1
  return `skill-${number}`
}

beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(() => app.stop())

const act = async (id: number | string, body: unknown, token = app.administrator) =>
  refusal(`${app.api}/review/${id}`, { method: 'POST', token, body })

const list = async (path: string, token: string): Promise<RegistryVersion[]> => {
  const { status, body } = await call<List>(`${app.api}/${path}`, { token })
  expect(status).toBe(200)
  return body.items
}

const read = async (id: number): Promise<RegistryVersion | undefined> =>
  (await list('review', app.administrator)).find((release) => release.id === id)

const ways = {
  pending: [],
  approved: ['approved'],
  rejected: ['rejected'],
  revoked: ['approved', 'revoked'],
}
type Status = keyof typeof ways
const statuses = Object.keys(ways) as Status[]
const actions = ['approved', 'rejected', 'revoked'] as const

describe('the transitions (section 3)', () => {
  const allowed = new Set(['pending approved', 'pending rejected', 'approved revoked'])
  const moves = statuses.flatMap((from) => actions.map((to) => ({ from, to })))

  test.each(moves.filter(({ from, to }) => allowed.has(`${from} ${to}`)))(
    '$from becomes $to: 200 with {success: true}',
    async ({ from, to }) => {
      const name = newName()
      const id = await app.release({ name }, ...ways[from])
      const reply = await review(app.registry, app.administrator, id, to, `The note of ${to}.`)
      expect(reply.status).toBe(200)
      expect(reply.body).toEqual({ success: true })
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(await read(id)).toMatchObject({ status: to, reviewReason: `The note of ${to}.` })
      const shown = to === 'approved' ? 200 : 404
      for (const path of ['', '/1.0.0', '/1.0.0/manifest']) {
        expect((await call(`${app.api}/skills/${name}${path}`)).status).toBe(shown)
      }
      expect((await fetch(`${app.api}/skills/${name}/1.0.0/package`)).status).toBe(shown)
    },
  )

  test.each(moves.filter(({ from, to }) => !allowed.has(`${from} ${to}`)))(
    '$from never becomes $to: 409, and nothing changes',
    async ({ from, to }) => {
      const id = await app.release({ name: newName() }, ...ways[from])
      const before = await read(id)
      expect(await act(id, { action: to, reason: 'A reason that is long enough.' })).toEqual({
        status: 409,
        code: 'INVALID_TRANSITION',
        paths: [],
      })
      expect(await read(id)).toEqual(before)
    },
  )

  test('if two administrators decide at once, one succeeds and the other gets 409', async () => {
    const second = await app.token({ subject: 'second', role: 'administrator' })
    for (let round = 0; round < 25; round += 1) {
      const id = await app.submit({ name: newName() })
      const replies = await Promise.all([
        review(app.registry, app.administrator, id, 'approved', 'The first administrator.'),
        review(
          app.registry,
          second,
          id,
          round % 2 === 0 ? 'rejected' : 'approved',
          'The second administrator.',
        ),
      ])
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'INVALID_TRANSITION' })
      const first = replies[0].status === 200
      expect(await read(id)).toMatchObject({
        status: first || round % 2 === 1 ? 'approved' : 'rejected',
        reviewReason: first ? 'The first administrator.' : 'The second administrator.',
      })
    }
  })

  test('if many revoke at once, exactly one succeeds', async () => {
    const id = await app.release({ name: newName() }, 'approved')
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => review(app.registry, app.administrator, id, 'revoked')),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9)
  })
})

describe('the body of a decision (2.5)', () => {
  let id: number
  beforeAll(async () => {
    id = await app.submit({ name: newName() })
  })

  const refused = (...paths: string[]) => ({ status: 400, code: 'VALIDATION_FAILED', paths })
  const approve = (reason: unknown) => ({ action: 'approved', reason })

  test('the reason has 10 to 2000 characters, counted in code points', async () => {
    expect(await act(id, approve('r'.repeat(9)))).toEqual(refused('reason'))
    expect(await act(id, approve('🦊'.repeat(9)))).toEqual(refused('reason'))
    expect(await act(id, approve('r'.repeat(2001)))).toEqual(refused('reason'))
    expect(await act(id, approve('🦊'.repeat(2001)))).toEqual(refused('reason'))
    for (const reason of ['r'.repeat(10), '🦊'.repeat(10), 'r'.repeat(2000), '🦊'.repeat(2000)]) {
      const other = await app.submit({ name: newName() })
      expect((await act(other, approve(reason))).status).toBe(200)
      expect((await read(other))?.reviewReason).toBe(reason)
    }
  })

  test.each([
    ['no reason', { action: 'approved' }, ['reason']],
    ['a null reason', approve(null), ['reason']],
    ['a number as reason', approve(1_234_567_890_123), ['reason']],
    ['a lone surrogate', approve('0123456789\ud83e'), ['reason']],
    ['no action', { reason: 'long enough' }, ['action']],
    ['the action pending', { action: 'pending', reason: 'long enough' }, ['action']],
    ['the action approve', { action: 'approve', reason: 'long enough' }, ['action']],
    ['the action APPROVED', { action: 'APPROVED', reason: 'long enough' }, ['action']],
    ['another property', { action: 'approved', reason: 'long enough', notify: true }, ['notify']],
    ['nothing', {}, ['action', 'reason']],
    ['a list', [], ['']],
    ['null', null, ['']],
    ['a text', 'approved', ['']],
  ])('%s is 400', async (_case, body, paths) => {
    expect(await act(id, body)).toEqual(refused(...paths))
  })

  const send = async (body: BodyInit, type: string | null): Promise<{ status: number; code?: string }> => {
    const response = await fetch(`${app.api}/review/${id}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${app.administrator}`,
        ...(type === null ? {} : { 'content-type': type }),
      },
      body: typeof body === 'string' ? Buffer.from(body) : body,
    })
    return { status: response.status, code: ((await response.json()) as { code?: string }).code ?? '' }
  }
  const good = '{"action":"approved","reason":"long enough"}'

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonx'],
    ['text/json'],
    [null],
  ])('a body with the type %s is 400', async (type) => {
    expect(await send(good, type)).toEqual({ status: 400, code: 'INVALID_JSON' })
  })

  test.each(['', ' ', '{', "{'action':'approved'}", `${good},`, `${good}${good}`, 'undefined', '\u00ff'])(
    'the body %j is 400',
    async (body) => {
      expect(await send(body, 'application/json')).toEqual({ status: 400, code: 'INVALID_JSON' })
    },
  )

  test('a body that is not UTF-8 is 400', async () => {
    const latin = Buffer.from('{"action":"approved","reason":"lange genug f\u00fcr alle"}', 'latin1')
    expect(await send(latin, 'application/json')).toEqual({ status: 400, code: 'INVALID_JSON' })
  })

  test('__proto__ is an unknown property: 400', async () => {
    const body = '{"action":"approved","reason":"long enough","__proto__":{"x":1}}'
    expect((await send(body, 'application/json')).status).toBe(400)
  })

  test('none of these changes anything', async () => {
    expect(await read(id)).toMatchObject({ status: 'pending', reviewReason: null })
  })

  test('the media type may have a charset, in any letter case', async () => {
    const type = 'Application/JSON ; charset=UTF-8'
    expect((await send(good, type)).status).toBe(200)
  })
})

describe('the id', () => {
  const body = { action: 'approved', reason: 'long enough' }

  test.each(
    [
      ['0', '-1', 'abc', '1.5', '01', '+1', '1e3', '0x1', '%201', '1%00', 'NaN', '٣'],
      ['9007199254740992', '99999999999999999999'],
    ].flat(),
  )('%s is invalid: 400', async (id) => {
    expect(await act(id, body)).toEqual({ status: 400, code: 'VALIDATION_FAILED', paths: ['id'] })
  })

  test.each(['999999', '9007199254740991'])('%s is unknown: 404', async (id) => {
    expect(await act(id, body)).toEqual({ status: 404, code: 'NOT_FOUND', paths: [] })
  })
})

describe('permissions', () => {
  test('a developer gets 403 for the list, the decision and the inspection, even of their own releases', async () => {
    const name = newName()
    const id = await app.submit({ name })
    const forbidden = { status: 403, code: 'FORBIDDEN', paths: [] }
    const token = app.developer
    expect(await refusal(`${app.api}/review`, { token })).toEqual(forbidden)
    expect(await act(id, { action: 'approved', reason: 'long enough' }, token)).toEqual(forbidden)
    expect(await refusal(`${app.api}/review/${name}/1.0.0/package`, { token })).toEqual(forbidden)
    // Permissions are checked before anything that could reveal information.
    expect(await act('abc', {}, token)).toEqual(forbidden)
    expect(await act(999_999, {}, token)).toEqual(forbidden)
    expect(await refusal(`${app.api}/review/no-such/1.0.0/package`, { token })).toEqual(forbidden)
    expect(await read(id)).toMatchObject({ status: 'pending' })
  })

  test.each(['mine', 'review', 'review/skill-1/1.0.0/package'])('%s requires a token', async (path) => {
    const response = await fetch(`${app.api}/${path}`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({ code: 'TOKEN_MISSING' })
  })

  test('an administrator may decide on their own release', async () => {
    const id = await app.submit({ name: newName() }, app.administrator)
    await app.decide(id, 'approved')
    expect(await list('mine', app.administrator)).toMatchObject([{ id, status: 'approved' }])
  })
})

describe('the lists', () => {
  let lists: TestRegistry
  let bob: string
  let ofBob: number
  const ids: Record<Status, number[]> = { pending: [], approved: [], rejected: [], revoked: [] }

  const get = async (path: string, token = lists.administrator): Promise<RegistryVersion[]> => {
    const { status, body } = await call<List>(`${lists.api}/${path}`, { token })
    expect(status).toBe(200)
    return body.items
  }
  const idsOf = (items: RegistryVersion[]): number[] => items.map(({ id }) => id)
  const newest = (numbers: number[]): number[] => numbers.toSorted((a, b) => b - a)

  beforeAll(async () => {
    lists = await startTestRegistry()
    bob = await lists.token({ subject: 'bob', name: 'Bob' })
    for (const status of statuses) {
      for (let patch = 0; patch < 3; patch += 1) {
        ids[status].push(await lists.release({ name: status, version: `1.0.${patch}` }, ...ways[status]))
      }
    }
    ofBob = await lists.submit({ name: 'of-bob' }, bob)
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (let patch = 0; patch < 11; patch += 1) {
          ids.pending.push(await lists.submit({ name: `lane-${lane}`, version: `1.0.${patch}` }))
        }
      }),
    )
  })
  afterAll(() => lists.stop())

  test('review lists all releases in any status, newest submission first, 50 per page', async () => {
    const all = idsOf([...(await get('review')), ...(await get('review?offset=50'))])
    expect(all).toHaveLength(57)
    expect(all).toEqual(newest(all))
    expect(await get('review')).toHaveLength(50)
    expect(idsOf(await get('review?offset=3'))).toEqual(all.slice(3, 53))
    expect(await get('review?offset=57')).toEqual([])
    expect(await get('review?offset=100000')).toEqual([])
  })

  test.each(statuses)('status=%s filters it', async (status) => {
    const found = await get(`review?status=${status}`)
    const expected = newest(status === 'pending' ? [...ids.pending, ofBob] : ids[status])
    expect(idsOf(found)).toEqual(expected)
    expect(found.every((release) => release.status === status)).toBe(true)
    expect(idsOf(await get(`review?status=${status}&offset=1`))).toEqual(expected.slice(1))
  })

  test.each(['all', 'PENDING', '', 'pending,approved', 'null'])('status=%j is 400', async (status) => {
    const url = `${lists.api}/review?status=${status}`
    expect(await refusal(url, { token: lists.administrator })).toEqual({
      status: 400,
      code: 'VALIDATION_FAILED',
      paths: ['status'],
    })
  })

  test('mine lists only your own releases, in any status, newest first, 50 per page', async () => {
    const own = newest(Object.values(ids).flat())
    expect(own).toHaveLength(56)
    expect(idsOf(await get('mine', lists.developer))).toEqual(own.slice(0, 50))
    expect(idsOf(await get('mine?offset=50', lists.developer))).toEqual(own.slice(50))
    expect(await get('mine', bob)).toMatchObject([{ name: 'of-bob', publisher: 'Bob' }])
    expect(await get('mine', lists.administrator)).toEqual([])
    // The list of an administrator and that of the owner show the same.
    const same = (await get('review')).filter(({ publisher }) => publisher !== 'Bob')
    const listed = await get('mine', lists.developer)
    expect(listed.slice(0, same.length)).toEqual(same)
  })

  test('reviewReason has the notes of the last decision, is visible to the owner, and is null while pending', async () => {
    const own = [...(await get('mine', lists.developer)), ...(await get('mine?offset=50', lists.developer))]
    const reasons = (status: Status): (string | null)[] => [
      ...new Set(own.filter((release) => release.status === status).map(({ reviewReason }) => reviewReason)),
    ]
    expect(reasons('pending')).toEqual([null])
    expect(reasons('approved')).toEqual(['It was approved with good reason.'])
    expect(reasons('rejected')).toEqual(['It was rejected with good reason.'])
    expect(reasons('revoked')).toEqual(['It was revoked with good reason.'])
  })
})
