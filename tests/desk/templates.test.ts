import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxCannedReasons } from '../../src/shared/contracts/desk-decisions.ts'
import type { CannedReason } from '../../src/shared/contracts/desk-decisions.ts'
import { deskClient, openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const list = async (client = rita): Promise<CannedReason[]> =>
  (await client.get<{ items: CannedReason[] }>('/reasons')).body.items
const save = (items: unknown, client = rita) =>
  client.send<{ items?: CannedReason[]; code?: string }>('PUT', '/reasons', { items })

test('there are default templates for every decision, each long enough for review notes', async () => {
  const reasons = await list()
  for (const action of ['approved', 'rejected', 'revoked']) {
    expect(reasons.filter((reason) => reason.action === action).length, action).toBeGreaterThanOrEqual(3)
  }
  expect(reasons.filter(({ sentence }) => sentence.length < 10)).toEqual([])
  expect(new Set(reasons.map(({ label }) => label)).size).toBe(reasons.length)
})

test('the list is replaced as a whole and in order, for all administrators, and every desk is notified', async () => {
  const stream = await openEvents(rita)
  const before = await stream.next()
  const items = [
    { action: 'rejected', label: 'Too slow', sentence: 'It takes longer than its examples say.' },
    { action: 'approved', label: 'Fine', sentence: 'I have looked at all of it.' },
    { action: 'rejected', label: 'Too slow', sentence: 'The same label may stand twice.' },
  ]
  expect(await save(items)).toMatchObject({ status: 200, body: { items } })
  expect((await stream.next()).releases).toBeGreaterThan(before.releases)
  stream.close()
  await app.token({ subject: 'rolf', role: 'administrator' })
  expect(await list(await signIn(app, 'rolf'))).toEqual(items)
  expect(await save([{ action: 'revoked', label: ' Old ', sentence: ' Use the new one. ' }])).toMatchObject({
    body: { items: [{ action: 'revoked', label: 'Old', sentence: 'Use the new one.' }] },
  })
  expect(await list()).toHaveLength(1)
})

test('an empty list stays empty', async () => {
  expect((await save([])).status).toBe(200)
  expect(await list()).toEqual([])
})

test('an invalid list is rejected, and the old one is kept', async () => {
  const original = [{ action: 'approved', label: 'Kept', sentence: 'This one stays.' }]
  await save(original)
  const reason = { action: 'approved', label: 'Label', sentence: 'A sentence.' }
  for (const items of [
    [{ ...reason, action: 'praised' }],
    [{ ...reason, label: ' ' }],
    [{ ...reason, label: 'x'.repeat(81) }],
    [{ ...reason, sentence: '' }],
    [{ ...reason, sentence: 'x'.repeat(501) }],
    [{ ...reason, sentence: 'half \uD800' }],
    [{ ...reason, color: 'red' }],
    Array.from({ length: maxCannedReasons + 1 }, () => reason),
    'none',
  ]) {
    expect(await save(items)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  }
  expect(await list()).toEqual(original)
  expect((await save(Array.from({ length: maxCannedReasons }, () => reason))).status).toBe(200)
})

test('the templates are for administrators only', async () => {
  const alice = await signIn(app, 'alice')
  expect((await alice.get('/reasons')).status).toBe(403)
  expect((await save([], alice)).status).toBe(403)
  expect((await deskClient(app).get('/reasons')).status).toBe(401)
})
