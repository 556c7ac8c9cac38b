import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

interface Outcome {
  status: number
  code: string | undefined
  retryAfter: number | null
}

/** Publishes and returns the parts of the response that matter here. */
async function attempt(on: TestRegistry, token: string, change: Partial<SkillManifest>): Promise<Outcome> {
  const { status, body, headers } = await publish(on.registry, token, manifest(change), on.wasm)
  const retryAfter = headers.get('retry-after')
  return { status, code: body.code, retryAfter: retryAfter === null ? null : Number(retryAfter) }
}

const taken = { status: 403, code: 'NAME_TAKEN' }
const exists = { status: 409, code: 'VERSION_EXISTS' }

describe('names and versions', () => {
  let app: TestRegistry
  let bob: string
  beforeAll(async () => {
    app = await startTestRegistry()
    bob = await app.token({ subject: 'bob' })
  })
  afterAll(() => app.stop())

  test.each([
    ['is pending', []],
    ['was rejected', ['rejected']],
    ['is approved', ['approved']],
    ['was revoked', ['approved', 'revoked']],
  ])('a name belongs to its first publisher, even if its only release %s', async (_case, actions) => {
    const name = `owned-${actions.join('-') || 'pending'}`
    await app.release({ name }, ...actions)
    expect(await attempt(app, bob, { name, version: '2.0.0' })).toMatchObject(taken)
    expect(await attempt(app, bob, { name })).toMatchObject(taken)
    expect(await attempt(app, app.administrator, { name, version: '2.0.0' })).toMatchObject(taken)
    expect((await attempt(app, app.developer, { name, version: '2.0.0' })).status).toBe(201)
  })

  test.each([
    ['is pending', []],
    ['was rejected', ['rejected']],
    ['is approved', ['approved']],
    ['was revoked', ['approved', 'revoked']],
  ])('a version can be used only once, even if it %s', async (_case, actions) => {
    const name = `once-${actions.join('-') || 'pending'}`
    await app.release({ name }, ...actions)
    expect(await attempt(app, app.developer, { name })).toMatchObject(exists)
    expect(await attempt(app, app.developer, { name, description: 'Another one entirely.' })).toMatchObject(
      exists,
    )
    expect((await attempt(app, app.developer, { name, version: '1.0.1' })).status).toBe(201)
    expect((await attempt(app, app.developer, { name, version: '0.9.0' })).status).toBe(201)
  })

  test('a refused submission does not reserve the name', async () => {
    const name = 'not-taken'
    const broken = await publish(app.registry, app.developer, manifest({ name }), Buffer.from('no module'))
    expect(broken.status).toBe(400)
    expect((await attempt(app, bob, { name })).status).toBe(201)
  })

  test('only the exact name is taken', async () => {
    await app.release({ name: 'whole-name' })
    expect((await attempt(app, bob, { name: 'whole' })).status).toBe(201)
    expect((await attempt(app, bob, { name: 'whole-name-2' })).status).toBe(201)
  })

  test('if two developers publish the same name and version at once, one gets 201', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `race-${round}`
      const outcomes = await Promise.all([attempt(app, app.developer, { name }), attempt(app, bob, { name })])
      expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
      expect(outcomes.find(({ status }) => status === 403)).toMatchObject(taken)
    }
  })

  test('if a developer publishes a version many times at once, one request gets 201', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => attempt(app, app.developer, { name: 'many-at-once' })),
    )
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409, 409,
    ])
    const { body } = await call<List>(`${app.api}/mine`, { token: app.developer })
    expect(body.items.filter(({ name }) => name === 'many-at-once')).toHaveLength(1)
  })
})

describe('the submission quota', () => {
  let app: TestRegistry
  let developers = 0
  beforeAll(async () => {
    app = await startTestRegistry({ config: { dailySubmissions: 10 } })
  })
  afterAll(() => app.stop())

  const newDeveloper = (): Promise<string> => {
    developers += 1
    return app.token({ subject: `developer-${developers}` })
  }

  async function submitTen(token: string): Promise<string> {
    const name = `quota-${developers}`
    for (let minor = 0; minor < 10; minor += 1) {
      expect((await attempt(app, token, { name, version: `1.${minor}.0` })).status).toBe(201)
    }
    return name
  }

  /** Moves the submissions of a name `hours` into the past, or only that of the given version. */
  function age(name: string, hours: number, version = '%'): void {
    const database = new Sqlite(dataPaths(app.folder).database, { timeout: 5000 })
    try {
      const at = new Date(Date.now() - hours * 3_600_000).toISOString()
      database
        .prepare('UPDATE releases SET created_at = ? WHERE name = ? AND version LIKE ?')
        .run(at, name, version)
    } finally {
      database.close()
    }
  }

  test('is ten in any rolling 24 hours, then 429 with Retry-After in seconds', async () => {
    const token = await newDeveloper()
    const name = await submitTen(token)
    const eleventh = await attempt(app, token, { name, version: '2.0.0' })
    expect(eleventh).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
    expect(eleventh.retryAfter).toBeGreaterThan(86_000)
    expect(eleventh.retryAfter).toBeLessThanOrEqual(86_400)

    // The window rolls: only the age of the oldest of the ten matters.
    age(name, 23.5, '1.0.0')
    const soon = await attempt(app, token, { name, version: '2.0.0' })
    expect(soon).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
    expect(soon.retryAfter).toBeGreaterThan(1790 - 60)
    expect(soon.retryAfter).toBeLessThanOrEqual(1800)

    age(name, 24.01, '1.0.0')
    expect((await attempt(app, token, { name, version: '2.0.0' })).status).toBe(201)
    expect((await attempt(app, token, { name, version: '2.1.0' })).status).toBe(429)
    age(name, 25)
    expect((await attempt(app, token, { name, version: '2.1.0' })).status).toBe(201)
  })

  test('is described in every answer to a submission', async () => {
    const token = await newDeveloper()
    const name = `quota-${developers}`
    const ask = async (version: string) => {
      const { status, headers } = await publish(app.registry, token, manifest({ name, version }), app.wasm)
      expect(headers.get('ratelimit-policy')).toBe('"submissions";q=10;w=86400')
      const limit = /^"submissions";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')
      return {
        status,
        left: Number(limit?.[1]),
        seconds: Number(limit?.[2]),
        retry: headers.get('retry-after'),
      }
    }
    expect(await ask('invalid')).toEqual({ status: 400, left: 10, seconds: 86_400, retry: null })
    expect(await ask('1.0.0')).toMatchObject({ status: 201, left: 9 })
    age(name, 23.5)
    for (let left = 8; left >= 0; left -= 1) {
      const answer = await ask(`1.${left}.1`)
      expect(answer).toMatchObject({ status: 201, left })
      // The oldest submission leaves the window first.
      expect(answer.seconds).toBeGreaterThan(1800 - 60)
      expect(answer.seconds).toBeLessThanOrEqual(1800)
    }
    const refused = await ask('2.0.0')
    expect(refused).toMatchObject({ status: 429, left: 0 })
    // Both are rounded up to seconds, one shortly after the other.
    expect([refused.seconds, refused.seconds + 1]).toContain(Number(refused.retry))
    age(name, 24.01, '1.0.0')
    expect(await ask('1.0.0')).toMatchObject({ status: 409, left: 1 })
  })

  test('blocks for at most 24 hours after the clock was a year ahead', async () => {
    const token = await newDeveloper()
    const name = await submitTen(token)
    age(name, -365 * 24)
    const eleventh = await attempt(app, token, { name, version: '2.0.0' })
    expect(eleventh).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
    expect(eleventh.retryAfter).toBeGreaterThan(86_000)
    expect(eleventh.retryAfter).toBeLessThanOrEqual(86_400)
  })

  test('counts only successful submissions', async () => {
    const token = await newDeveloper()
    const other = await attempt(app, app.developer, { name: 'of-another' })
    expect(other.status).toBe(201)
    for (let round = 0; round < 12; round += 1) {
      expect((await attempt(app, token, { name: 'NO NAME' })).status).toBe(400)
      expect((await attempt(app, token, { name: 'of-another' })).status).toBe(403)
    }
    await submitTen(token)
    expect((await attempt(app, token, { name: 'one-more' })).status).toBe(429)
  })

  test('counts a submission whatever its decision', async () => {
    const token = await newDeveloper()
    await submitTen(token)
    const mine = await call<List>(`${app.api}/mine`, { token })
    await Promise.all(mine.body.items.map(({ id }) => app.decide(id, 'rejected')))
    expect((await attempt(app, token, { name: 'one-more' })).status).toBe(429)
  })

  test('is per developer', async () => {
    const token = await newDeveloper()
    expect((await attempt(app, token, { name: 'own-quota' })).status).toBe(201)
  })

  test('does not limit reading', async () => {
    const token = await newDeveloper()
    await submitTen(token)
    expect((await call(`${app.api}/mine`, { token })).status).toBe(200)
  })
})

describe('many submissions at once', () => {
  const twenty = async (on: TestRegistry): Promise<Outcome[]> =>
    Promise.all(Array.from({ length: 20 }, (_, at) => attempt(on, on.developer, { name: `twenty-${at}` })))

  const countMine = async (on: TestRegistry): Promise<number> =>
    (await call<List>(`${on.api}/mine`, { token: on.developer })).body.items.length

  test('with enough slots for all, exactly ten of twenty are accepted under a quota of ten', async () => {
    const app = await startTestRegistry({ config: { dailySubmissions: 10, publishConcurrency: 128 } })
    const outcomes = await twenty(app)
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = outcomes.filter(({ status }) => status !== 201)
    for (const outcome of refused) expect(outcome).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
    expect(await countMine(app)).toBe(10)
    await app.stop()
  })

  test('with the default limits there are only 201 and 429, and at most ten are accepted', async () => {
    const app = await startTestRegistry({ config: { dailySubmissions: 10 } })
    const outcomes = await twenty(app)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([201, 429]))
    const accepted = outcomes.filter(({ status }) => status === 201).length
    expect(accepted).toBeGreaterThan(0)
    expect(accepted).toBeLessThanOrEqual(10)
    expect(await countMine(app)).toBe(accepted)
    await app.stop()
  })
})

describe('the request concurrency limit', () => {
  let app: TestRegistry
  let clients: RawClient[] = []
  beforeAll(async () => {
    app = await startTestRegistry({ config: { publishConcurrency: 2, dailySubmissions: 4 } })
  })
  afterAll(() => app.stop())

  const body = (name: string): Buffer =>
    multipartBody([manifestPart(manifest({ name })), wasmPart(new Uint8Array(100_000))])

  /** Starts a submission and pauses in the middle. */
  async function begin(token: string): Promise<RawClient> {
    const bytes = body(`slow-${clients.length}`)
    const client = await connectRaw(app.registry)
    clients.push(client)
    await client.send(
      requestHead('POST', `${app.api}/publish`, {
        Authorization: `Bearer ${token}`,
        'Content-Type': multipartType,
        'Content-Length': bytes.length,
      }),
    )
    await client.send(bytes.subarray(0, 50_000))
    return client
  }
  const untilUnfinished = async (count: number): Promise<void> => {
    const unfinished = async (): Promise<string[]> =>
      (await app.packageFiles()).filter((file) => file.endsWith('.part'))
    await vi.waitFor(async () => expect(await unfinished()).toHaveLength(count), {
      timeout: 30_000,
      interval: 5,
    })
  }

  test('is 429 TOO_MANY_REQUESTS with Retry-After, until submissions in progress end', async () => {
    await Promise.all([begin(app.developer), begin(app.developer)])
    await untilUnfinished(2)
    const third = await attempt(app, app.developer, { name: 'third' })
    expect(third).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(third.retryAfter).toBeGreaterThan(0)

    // Other errors take precedence, and reading is not limited.
    expect(await attempt(app, 'no-token', { name: 'third' })).toMatchObject({ status: 401 })
    expect((await call(`${app.api}/skills`)).status).toBe(200)
    expect((await call(`${app.api}/mine`, { token: app.developer })).status).toBe(200)

    clients.pop()?.destroy()
    await untilUnfinished(1)
    await vi.waitFor(
      async () => expect((await attempt(app, app.developer, { name: 'third' })).status).toBe(201),
      { timeout: 30_000 },
    )
    clients.pop()?.destroy()
    await untilUnfinished(0)
  })

  test('a request that will be refused takes no slot', async () => {
    const spender = await app.token({ subject: 'spender' })
    for (let minor = 0; minor < 4; minor += 1) {
      expect((await attempt(app, spender, { name: 'spent', version: `1.${minor}.0` })).status).toBe(201)
    }
    clients = []
    // None of these unfinished requests holds one of the two slots.
    const refused = await Promise.all([
      ...Array.from({ length: 3 }, () => begin('no-token')),
      ...Array.from({ length: 3 }, () => begin(spender)),
    ])
    const statuses = await Promise.all(refused.map(async (client) => (await client.answer()).status))
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429])
    await Promise.all([begin(app.developer), begin(app.developer)])
    await untilUnfinished(2)
    // With all slots taken, the quota still takes precedence.
    expect(await attempt(app, spender, { name: 'spent', version: '2.0.0' })).toMatchObject({
      status: 429,
      code: 'QUOTA_EXCEEDED',
    })
    for (const client of clients) client.destroy()
    await untilUnfinished(0)
  })

  test('a slot is released after every kind of error', async () => {
    const bob = await app.token({ subject: 'bob' })
    // The slots of the previous test are released shortly after its files are removed.
    await vi.waitFor(async () => expect((await attempt(app, bob, { name: 'BAD' })).status).toBe(400), {
      timeout: 30_000,
    })
    for (let round = 0; round < 6; round += 1) {
      expect((await attempt(app, bob, { name: 'BAD' })).status).toBe(400)
      const headers = { authorization: `Bearer ${bob}` }
      const empty = await fetch(`${app.api}/publish`, { method: 'POST', headers })
      expect(empty.status).toBe(400)
    }
    expect((await attempt(app, bob, { name: 'still-possible' })).status).toBe(201)
  })
})
