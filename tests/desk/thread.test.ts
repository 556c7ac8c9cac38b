import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import type { QueueRow } from '../../src/shared/contracts/desk-review.ts'
import { maxMessageLength, maxMessages, messagesPerHour } from '../../src/shared/contracts/thread.ts'
import type { Message, Thread } from '../../src/shared/contracts/thread.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import Sqlite from 'better-sqlite3'
import { decideAtDesk, getDeskRelease, openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient, DeskReply } from '../support/desk/desk-client.ts'
import { goodManifest, quietModule } from '../support/fixtures/findings.ts'
import { call } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
let alice: DeskClient
let bob: string
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
  alice = await signIn(app, 'alice')
  bob = await app.token({ subject: 'bob', name: 'Bob' })
})
afterAll(() => app.stop())
afterEach(() => vi.useRealTimers())

let modules = 0
/** The names of the submitted releases by their ids. */
const names = new Map<number, string>()
/** Submits a release of alice whose only finding is that its license is not an SPDX expression. */
const submit = async (name: string): Promise<number> => {
  modules += 1
  const module = await quietModule(modules)
  const id = await app.submit({ ...goodManifest, license: 'mit', name }, app.developer, module)
  names.set(id, name)
  return id
}
/** A path of the desk's API; `whose` is `mine` or `review`. */
const at = (whose: string, id: number, last = 'thread'): string => `/${whose}/${names.get(id)}/1.0.0/${last}`
type Sent = DeskReply<Message & { code?: string; error?: string }>
const ask = (id: number, more: object = {}): Promise<Sent> =>
  rita.send('POST', at('review', id), { text: 'Why does it read the clock?', ...more })
const answer = (id: number, more: object = {}): Promise<Sent> =>
  alice.send('POST', at('mine', id), { text: 'To name the output.', ...more })
const threadOf = async (id: number): Promise<Thread> => (await getDeskRelease(rita, id)).thread
const ownOf = async (id: number): Promise<OwnRelease | undefined> => {
  const { items } = (await alice.get<{ items: OwnRelease[] }>('/own/releases')).body
  return items.find((one) => one.id === id)
}
const queue = async (query = ''): Promise<QueueRow[]> =>
  (await rita.get<{ items: QueueRow[] }>(`/releases?${query}`)).body.items
const rowOf = async (id: number): Promise<QueueRow | undefined> =>
  (await queue('view=all&sort=newest')).find((row) => row.id === id)
/** An endpoint of the API; `whose` is `mine` or `review`. */
const api = (whose: string, name: string, last = 'thread'): string =>
  `${app.registry}/api/skilldock/${whose}/${name}/1.0.0/${last}`

describe('a conversation', () => {
  test('has the question of a reviewer and the answer of the publisher, at the desk and over the API', async () => {
    const id = await submit('talked')
    const asked = await ask(id)
    expect(asked).toMatchObject({
      status: 201,
      body: { kind: 'question', by: 'rita', text: 'Why does it read the clock?', about: null },
    })
    const question = { token: app.administrator, method: 'POST', body: { text: 'And when?' } }
    expect((await call(api('review', 'talked'), question)).status).toBe(201)
    expect((await answer(id)).body).toMatchObject({ kind: 'answer', by: 'Alice' })
    const token = await app.token({ subject: 'alice', scope: 'publish' })
    const second = await call(api('mine', 'talked'), { token, method: 'POST', body: { text: 'At start.' } })
    expect(second.status).toBe(201)

    const texts = ['Why does it read the clock?', 'And when?', 'To name the output.', 'At start.']
    const read = [
      await threadOf(id),
      (await alice.get<Thread>(at('mine', id))).body,
      (await call<Thread>(api('mine', 'talked'), { token })).body,
      (await call<Thread>(api('review', 'talked'), { token: app.administrator })).body,
    ]
    for (const { messages } of read) expect(messages.map(({ text }) => text)).toEqual(texts)
  })

  test('hides the sign-in name of a reviewer without a name from the publisher', async () => {
    const id = await submit('anonymous-reviewer')
    await ask(id)
    const { messages } = (await alice.get<Thread>(at('mine', id))).body
    expect(messages[0]?.by).toMatch(/^Reviewer \d+$/)
    expect((await threadOf(id)).messages[0]?.by).toBe('rita')
  })

  test('is read and answered by every current owner of the name, and no longer by a former one', async () => {
    const id = await submit('co-owned')
    await ask(id)
    const body = { text: 'I wrote that part.' }
    const carol = await app.token({ subject: 'carol', name: 'Carol' })
    const desk = await signIn(app, 'carol')
    const listed = async (): Promise<OwnRelease | undefined> =>
      (await desk.get<{ items: OwnRelease[] }>('/own/releases')).body.items.find((one) => one.id === id)
    const readAndAnswer = async (token: string): Promise<number[]> => [
      (await call(api('mine', 'co-owned'), { token })).status,
      (await call(api('mine', 'co-owned'), { token, method: 'POST', body })).status,
    ]
    expect(await readAndAnswer(carol)).toEqual([404, 404])
    expect(await listed()).toBeUndefined()

    const base = `${app.registry}/api/skilldock`
    const offer = { kind: 'co-owner', to: 'carol' }
    const to = { token: app.developer, method: 'POST', body: offer }
    const made = await call<{ id: number }>(`${base}/names/co-owned/offers`, to)
    const answered = { token: carol, method: 'POST', body: { answer: 'accepted' } }
    await call(`${base}/offers/${made.body.id}`, answered)
    expect(await readAndAnswer(carol)).toEqual([200, 201])
    expect(await readAndAnswer(app.developer)).toEqual([200, 201])
    expect((await desk.get<Thread>(at('mine', id))).body.messages.map(({ by }) => by)).toEqual([
      expect.stringMatching(/^Reviewer \d+$/),
      'Carol',
      'Alice',
    ])
    expect(await listed()).toMatchObject({ submittedBy: 'Alice', thread: { messages: 3 } })

    // The former owner submitted this release, and still sees its status.
    await call(`${base}/names/co-owned`, { token: app.developer, method: 'DELETE' })
    expect(await readAndAnswer(app.developer)).toEqual([404, 404])
    expect(await ownOf(id)).toMatchObject({ submittedBy: null, status: 'pending', thread: null })
    expect(await readAndAnswer(carol)).toEqual([200, 201])
  })

  test('is readable and writable for nobody but owners of the name and reviewers', async () => {
    const id = await submit('private')
    await ask(id)
    const body = { text: 'Let me in.' }
    expect(await refusal(api('mine', 'private'), { token: bob })).toMatchObject({ status: 404 })
    expect(await refusal(api('mine', 'private'), { token: bob, method: 'POST', body })).toMatchObject({
      status: 404,
    })
    expect(await refusal(api('mine', 'private'))).toMatchObject({ status: 401 })
    const signedInBob = await signIn(app, 'bob')
    expect((await signedInBob.get(at('mine', id))).status).toBe(404)
    for (const token of [bob, app.developer]) {
      expect(await refusal(api('review', 'private'), { token })).toMatchObject({ status: 403 })
      expect(await refusal(api('review', 'private'), { token, method: 'POST', body })).toMatchObject({
        status: 403,
      })
    }
    // A token that may only publish can't review, even if it belongs to a reviewer.
    const token = await app.token({ subject: 'rita', scope: 'publish' })
    expect(await refusal(api('review', 'private'), { token })).toMatchObject({ status: 403 })
    expect((await threadOf(id)).messages).toHaveLength(1)
  })

  test('is not in the status of the interface, the public log, or any public reply', async () => {
    const id = await submit('public-tool')
    const secret = 'A secret between the two of us.'
    await ask(id, { text: secret, requestsChanges: true })
    const mine = await call(`${app.api}/mine`, { token: app.developer })
    expect(JSON.stringify(mine.body)).toContain('"name":"public-tool","version":"1.0.0","manifest"')
    expect(JSON.stringify(mine.body)).not.toMatch(/changes|thread/i)
    await answer(id)
    await decideAtDesk(rita, id, 'approved')
    const pages = [
      `${app.api}/skills/public-tool/1.0.0`,
      `${app.registry}/api/skilldock/skills/public-tool/1.0.0/review`,
      `${app.registry}/skills/public-tool/1.0.0`,
      `${app.registry}/docs-markdown/marketplace/public-tool/1.0.0.md`,
    ]
    for (const page of pages) {
      const response = await fetch(page)
      expect(response.status).toBe(200)
      expect(await response.text()).not.toMatch(/secret|To name the output/)
    }
    const note = await (await fetch(`${app.registry}/api/skilldock/log/checkpoint`)).text()
    const size = Number(note.split('\n')[1])
    const entries = `${app.registry}/api/skilldock/log/entries?start=0&end=${size}`
    const read = (await call<{ entries: string[] }>(entries)).body.entries
      .map((entry) => Buffer.from(entry, 'base64').toString())
      .join('\n')
    expect(read).toContain('"type":"question.asked"')
    expect(read).not.toMatch(/secret|To name the output/)
  })

  test('adds one entry to the transparency log for each message, without its text or release', async () => {
    const id = await submit('logged')
    await ask(id, { requestsChanges: true })
    await answer(id)
    const database = new Sqlite(dataPaths(app.folder).database, { readonly: true })
    const entries = database
      .prepare<[number], { entry: string }>(
        `SELECT entry FROM log_entries WHERE subject IN
           (SELECT 'review_messages/' || id FROM review_messages WHERE release_id = ?) ORDER BY idx`,
      )
      .all(id)
      .map(({ entry }) => JSON.parse(entry) as Record<string, unknown>)
    database.close()
    expect(entries.map(({ type }) => type)).toEqual(['question.asked', 'answer.given', 'changes.resolved'])
    for (const entry of entries) {
      expect(Object.keys(entry).toSorted()).toEqual(['at', 'detailsSha256', 'type'])
    }
  })

  test('is announced to open desks', async () => {
    const id = await submit('announced')
    const events = await openEvents(alice)
    const before = await events.next()
    await ask(id)
    expect((await events.next()).releases).toBeGreaterThan(before.releases)
    events.close()
  })
})

describe('a message', () => {
  test('can refer to a finding, which it describes even if a later check does not report it', async () => {
    const id = await submit('about-finding')
    const [finding] = (await getDeskRelease(rita, id)).checks?.findings ?? []
    const fingerprint = finding?.fingerprint ?? ''
    const { status, body } = await ask(id, { about: { kind: 'finding', fingerprint } })
    expect(status).toBe(201)
    expect(body.about).toEqual({
      kind: 'finding',
      fingerprint,
      check: 'license-unknown',
      title: finding?.title,
    })
    const unknown = await ask(id, { about: { kind: 'finding', fingerprint: '0'.repeat(32) } })
    expect(unknown).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })

  test('can refer to a function', async () => {
    const id = await submit('about-function')
    const about = { kind: 'function', index: 3, name: 'parse_line' }
    expect((await ask(id, { about })).body.about).toEqual(about)
  })

  test('is plain text of limited length', async () => {
    const id = await submit('text-limits')
    expect((await ask(id, { text: 'x'.repeat(maxMessageLength) })).status).toBe(201)
    for (const text of ['', '  ', '\u200B', 'x'.repeat(maxMessageLength + 1)]) {
      expect(await ask(id, { text })).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    }
  })
})

describe('who may write when', () => {
  test('the publisher can answer only after a question', async () => {
    const id = await submit('unasked')
    expect(await answer(id)).toMatchObject({ status: 409, body: { code: 'NOTHING_ASKED' } })
  })

  test('nobody can ask about their own release', async () => {
    await app.submit({ ...goodManifest, name: 'own-tool' }, app.administrator)
    const asked = await rita.send('POST', '/review/own-tool/1.0.0/thread', { text: 'Why?' })
    expect(asked).toMatchObject({ status: 403, body: { code: 'SELF_REVIEW' } })
  })

  test('after the decision, both can read and nobody can write', async () => {
    const id = await submit('decided')
    await ask(id, { requestsChanges: true })
    await decideAtDesk(rita, id, 'rejected')
    const closed = { status: 409, body: { code: 'THREAD_CLOSED' } }
    expect(await ask(id)).toMatchObject(closed)
    expect(await answer(id)).toMatchObject(closed)
    expect(await threadOf(id)).toMatchObject({ changesRequested: false, messages: [{ kind: 'question' }] })
    expect((await alice.get<Thread>(at('mine', id))).body.messages).toHaveLength(1)
    expect((await ownOf(id))?.thread).toEqual({ messages: 1, changesRequested: false, waitingFor: null })
  })

  test('each person has a number of messages per hour', async () => {
    const id = await submit('hourly')
    const marek = await app.token({ subject: 'marek', role: 'administrator' })
    const send = (): Promise<{ status: number; headers: Headers; body: unknown }> =>
      call(api('review', 'hourly'), { token: marek, method: 'POST', body: { text: 'Again?' } })
    for (let sent = 0; sent < messagesPerHour; sent += 1) {
      expect((await send()).status).toBe(201)
    }
    const refused = await send()
    expect(refused).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect((await ask(id)).status).toBe(201)
  })

  test('messages of a clock that was ahead count for an hour, not until then', async () => {
    const id = await submit('ahead')
    const tara = await app.token({ subject: 'tara', role: 'administrator' })
    await submit('afterwards')
    const send = (name = 'ahead'): Promise<{ status: number; headers: Headers }> =>
      call(api('review', name), { token: tara, method: 'POST', body: { text: 'Again?' } })
    expect((await send()).status).toBe(201)
    const database = new Sqlite(dataPaths(app.folder).database)
    const insert = database.prepare(
      `INSERT INTO review_messages (release_id, kind, author_id, at, text, requests_changes)
       SELECT release_id, kind, author_id, '2999-01-01T00:00:00.000Z', text, 0 FROM review_messages
       WHERE release_id = ? LIMIT 1`,
    )
    for (let sent = 0; sent < messagesPerHour; sent += 1) insert.run(id)
    database.close()
    const refused = await send()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    for (let sent = 0; sent < messagesPerHour; sent += 1) {
      expect((await send('afterwards')).status).toBe(201)
    }
    expect((await send('afterwards')).status).toBe(429)
  })

  test('each side has a number of messages per release', async () => {
    const id = await submit('full')
    await ask(id)
    const database = new Sqlite(dataPaths(app.folder).database)
    const insert = database.prepare(
      `INSERT INTO review_messages (release_id, kind, author_id, at, text, requests_changes)
       SELECT release_id, kind, author_id, '2026-01-01T00:00:00.000Z', text, 0 FROM review_messages WHERE release_id = ?
       LIMIT 1`,
    )
    for (let sent = 1; sent < maxMessages; sent += 1) insert.run(id)
    database.close()
    expect(await ask(id)).toMatchObject({ status: 409, body: { code: 'THREAD_FULL' } })
    expect((await answer(id)).status).toBe(201)
  })
})

describe('the label “changes requested”', () => {
  test('is set by a question and removed by the answer', async () => {
    const id = await submit('labelled')
    expect((await rowOf(id))?.thread).toBeNull()
    await ask(id, { requestsChanges: true })
    const summary = { messages: 1, changesRequested: true, waitingFor: 'publisher' }
    expect((await rowOf(id))?.thread).toEqual(summary)
    expect((await ownOf(id))?.thread).toEqual(summary)
    expect((await threadOf(id)).changesRequested).toBe(true)
    await answer(id)
    expect((await rowOf(id))?.thread).toEqual({
      messages: 2,
      changesRequested: false,
      waitingFor: 'reviewer',
    })
  })

  test('can be removed by a reviewer only', async () => {
    const id = await submit('unlabelled')
    await ask(id, { requestsChanges: true })
    expect((await alice.send('DELETE', at('review', id, 'change-request'))).status).toBe(403)
    expect((await threadOf(id)).changesRequested).toBe(true)
    expect((await rita.send('DELETE', at('review', id, 'change-request'))).status).toBe(200)
    expect((await threadOf(id)).changesRequested).toBe(false)
    await ask(id, { requestsChanges: true })
    const token = app.administrator
    await call(api('review', 'unlabelled', 'change-request'), { token, method: 'DELETE' })
    expect((await threadOf(id)).changesRequested).toBe(false)
  })

  test('filters the queue, as do unanswered questions and new answers', async () => {
    const [asked, labelled, answered] = [
      await submit('filter-asked'),
      await submit('filter-labelled'),
      await submit('filter-answered'),
    ]
    await ask(asked)
    await ask(labelled, { requestsChanges: true })
    await ask(answered)
    await answer(answered)
    const listed = async (filter: string, more = ''): Promise<number[]> =>
      (await queue(`q=filter-&thread=${filter}${more}`)).map(({ id }) => id)
    expect(await listed('changes-requested')).toEqual([labelled])
    expect(await listed('asked')).toEqual([asked, labelled])
    expect(await listed('asked', '&sort=newest')).toEqual([labelled, asked])
    expect(await listed('answered')).toEqual([answered])
    expect(await listed('answered', '&view=decided')).toEqual([])
    await decideAtDesk(rita, labelled, 'rejected')
    expect(await listed('changes-requested')).toEqual([])
  })
})

describe('a rejection', () => {
  test('records the open findings for the publisher, and later checks and dismissals do not change them', async () => {
    const id = await submit('rejected-for')
    const [finding] = (await getDeskRelease(rita, id)).checks?.findings ?? []
    const { judgement: _judgement, ...recorded } = { judgement: null, ...finding }
    await app.decide(id, 'rejected')
    expect(recorded.check).toBe('license-unknown')
    expect((await ownOf(id))?.rejectedFor).toEqual([recorded])
    const { fingerprint } = recorded
    await rita.send('POST', `/releases/${id}/judgements`, { fingerprint, reason: 'It is fine after all.' })
    const database = new Sqlite(dataPaths(app.folder).database)
    database.prepare("UPDATE release_checks SET findings = '[]' WHERE release_id = ?").run(id)
    database.close()
    expect((await ownOf(id))?.rejectedFor).toEqual([recorded])
    const token = app.developer
    const mine = await call<{ items: OwnRelease[] }>(`${app.registry}/api/skilldock/mine`, { token })
    expect(mine.body.items.find((one) => one.id === id)?.rejectedFor).toEqual([recorded])
  })

  test('does not record dismissed findings', async () => {
    const id = await submit('rejected-without')
    const [finding] = (await getDeskRelease(rita, id)).checks?.findings ?? []
    const reason = 'It is the MIT license.'
    await rita.send('POST', `/releases/${id}/judgements`, { fingerprint: finding?.fingerprint, reason })
    await decideAtDesk(rita, id, 'rejected')
    expect((await ownOf(id))?.rejectedFor).toEqual([])
  })
})
