import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LostDecision } from '../../src/shared/contracts/desk-decisions.ts'
import type { QueueRow } from '../../src/shared/contracts/desk-review.ts'
import {
  decideAtDesk,
  decideToEffect,
  getDeskRelease,
  openEvents,
  signIn,
} from '../support/desk/desk-client.ts'
import type { DeskClient, DeskOrder } from '../support/desk/desk-client.ts'
import { review } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

/** Nothing that is held there takes effect while a test looks. */
let slow: TestRegistry
/** What is held there takes effect soon. */
let quick: TestRegistry
let rita: DeskClient
let rolf: DeskClient
let quickRita: DeskClient
beforeAll(async () => {
  slow = await startTestRegistry()
  quick = await startTestRegistry({ config: { undoMs: 60 } })
  await slow.token({ subject: 'rolf', name: 'Rolf Brandt', role: 'administrator' })
  rita = await signIn(slow, 'rita')
  rolf = await signIn(slow, 'rolf')
  quickRita = await signIn(quick, 'rita')
})
afterAll(async () => {
  await Promise.all([slow.stop(), quick.stop()])
})

const decide = (client: DeskClient, id: number, action: string, order?: DeskOrder) =>
  decideAtDesk(client, id, action, order)
const undo = (client: DeskClient, id: number) =>
  client.send<{ code?: string; error?: string; success?: boolean }>('DELETE', `/releases/${id}/decision`)
const lostOf = async (client: DeskClient): Promise<LostDecision[]> =>
  (await client.get<{ items: LostDecision[] }>('/lost-decisions')).body.items

const aFewSeconds = /\bin (10|[1-9]) s\b/

describe('an approval or a rejection at the desk', () => {
  test('is held for ten seconds, and every desk sees by whom, what and how long', async () => {
    const id = await slow.submit({ name: 'held' })
    const stream = await openEvents(rolf)
    const before = await stream.next()
    const { body } = await decide(rita, id, 'approved')
    expect(body).toEqual({
      held: { action: 'approved', byId: 2, by: 'rita', undoMs: 10_000, remainingMs: 10_000 },
    })
    expect((await stream.next()).releases).toBeGreaterThan(before.releases)
    stream.close()

    for (const client of [rita, rolf]) {
      // oxlint-disable-next-line no-await-in-loop
      const release = await getDeskRelease(client, id)
      expect(release).toMatchObject({ status: 'pending', reviewReason: null, history: [] })
      expect(release.held).toMatchObject({ action: 'approved', byId: 2, by: 'rita' })
      expect(release.held?.remainingMs).toBeGreaterThan(0)
      expect(release.held?.remainingMs).toBeLessThanOrEqual(10_000)
    }
    const { items } = (await rolf.get<{ items: QueueRow[] }>('/releases?q=held')).body
    expect(items).toMatchObject([{ id, status: 'pending', held: { action: 'approved', by: 'rita' } }])
    expect((await fetch(`${slow.api}/skills/held`)).status).toBe(404)
  })

  test('takes effect when its time is over, with its note and its evidence', async () => {
    const id = await quick.submit({ name: 'due' })
    expect(
      (await decide(quickRita, id, 'approved', { reason: 'It is good as it is.' })).body.held,
    ).toMatchObject({
      remainingMs: 60,
    })
    const release = await until('it is approved', async () => {
      const now = await getDeskRelease(quickRita, id)
      return now.status === 'approved' && now
    })
    expect(release).toMatchObject({ held: null, reviewReason: 'It is good as it is.' })
    expect(release.history).toMatchObject([
      { action: 'approved', decidedBy: 'rita', reason: 'It is good as it is.', evidence: true },
    ])
    expect((await fetch(`${quick.api}/skills/due`)).status).toBe(200)
    const rejected = await quick.submit({ name: 'due-too' })
    expect((await decideToEffect(quickRita, rejected, 'rejected')).history).toMatchObject([
      { evidence: true },
    ])
    expect(await lostOf(quickRita)).toEqual([])
  })

  test('is refused while another one is held, with who decides what and when', async () => {
    const id = await slow.submit({ name: 'second' })
    await decide(rita, id, 'rejected')
    const other = await decide(rolf, id, 'approved')
    expect(other).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(other.body.error).toMatch(
      /^rita rejected second 1\.0\.0; this takes effect in \d+ s\. Only rita can undo it\.$/,
    )
    expect(other.body.error).toMatch(aFewSeconds)
    const own = await decide(rita, id, 'approved')
    expect(own).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(own.body.error).toMatch(
      /^You rejected second 1\.0\.0; this takes effect in \d+ s\. Undo that decision first\.$/,
    )
    expect((await getDeskRelease(rita, id)).held).toMatchObject({ action: 'rejected', by: 'rita' })
  })

  test('of two administrators at once is held for one; the other one is told by whom', async () => {
    const id = await slow.submit({ name: 'both' })
    const replies = await Promise.all([decide(rita, id, 'approved'), decide(rolf, id, 'rejected')])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const winner = replies[0]?.status === 200 ? /^rita approved/ : /^Rolf Brandt rejected/
    expect(replies.find(({ status }) => status === 409)?.body.error).toMatch(winner)
  })

  test('on a release that is decided already says by whom', async () => {
    const id = await slow.release({ name: 'over' }, 'rejected')
    const reply = await decide(rolf, id, 'approved')
    expect(reply).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(reply.body.error).toContain('over 1.0.0 is rejected (by rita)')
  })
})

test('revoking takes effect at once', async () => {
  const id = await slow.release({ name: 'revoked' }, 'approved')
  expect(await decide(rita, id, 'revoked')).toMatchObject({ status: 200, body: { held: null } })
  expect((await getDeskRelease(rita, id)).status).toBe('revoked')
  expect((await fetch(`${slow.api}/skills/revoked`)).status).toBe(404)
})

describe('undo', () => {
  test('takes the own decision back: nothing has happened, and it can be decided anew', async () => {
    const id = await slow.submit({ name: 'undone' })
    await decide(rita, id, 'approved')
    expect(await undo(rita, id)).toMatchObject({ status: 200, body: { success: true } })
    expect(await getDeskRelease(rita, id)).toMatchObject({ status: 'pending', held: null, history: [] })
    const again = await undo(rita, id)
    expect(again).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(again.body.error).toContain('There is no decision on undone 1.0.0 to undo')
    expect((await decide(rolf, id, 'rejected')).body.held).toMatchObject({ by: 'Rolf Brandt' })
    expect(await lostOf(rita)).toEqual([])
  })

  test('is for whoever has decided; another administrator is told who that is', async () => {
    const id = await slow.submit({ name: 'not-yours' })
    await decide(rolf, id, 'approved')
    const reply = await undo(rita, id)
    expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(reply.body.error).toMatch(
      /^Rolf Brandt approved not-yours 1\.0\.0; this takes effect in \d+ s\. Only Rolf Brandt can/,
    )
    expect((await getDeskRelease(rita, id)).held).toMatchObject({ by: 'Rolf Brandt' })
    const alice = await signIn(slow, 'alice')
    expect(await undo(alice, id)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  })

  test('of what has taken effect is refused, and says so', async () => {
    const id = await quick.submit({ name: 'too-late' })
    await decideToEffect(quickRita, id, 'approved')
    const reply = await undo(quickRita, id)
    expect(reply).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(reply.body.error).toContain('too-late 1.0.0 is already approved (by rita)')
    expect((await undo(quickRita, 99_999)).status).toBe(404)
  })

  test('and the end of its time: exactly one of them wins, and what is decided next has its own time', async () => {
    const one = async (id: number, index: number): Promise<'undone' | 'carried out'> => {
      await decide(quickRita, id, 'approved')
      // Around the moment at which it is due.
      await until('it is nearly due', async () => {
        const { held } = await getDeskRelease(quickRita, id)
        return held === null || held.remainingMs <= (index % 6) * 5
      })
      const { status } = await undo(quickRita, id)
      if (status !== 200) {
        expect(status).toBe(409)
        expect(await getDeskRelease(quickRita, id)).toMatchObject({ status: 'approved', held: null })
        return 'carried out'
      }
      const release = await decideToEffect(quickRita, id, 'rejected')
      expect(release.history).toMatchObject([{ action: 'rejected' }])
      expect(release.history).toHaveLength(1)
      return 'undone'
    }
    const ids: number[] = []
    for (let index = 0; index < 24; index += 1) {
      // Not more at a time than the server receives.
      // oxlint-disable-next-line no-await-in-loop
      ids.push(await quick.submit({ name: `race-${index}` }))
    }
    expect(await Promise.all(ids.map(one))).toHaveLength(24)
    expect(await lostOf(quickRita)).toEqual([])
  })
})

describe('a decision through the registry', () => {
  test('wins at once over one that is held, which is told of as lost', async () => {
    const id = await slow.submit({ name: 'overtaken', version: '2.0.0' })
    await decide(rolf, id, 'approved', { reason: 'I would have approved it.' })
    expect((await review(slow.registry, slow.administrator, id, 'rejected')).status).toBe(200)
    const release = await getDeskRelease(rita, id)
    expect(release).toMatchObject({ status: 'rejected', held: null })
    expect(release.history).toMatchObject([{ action: 'rejected', decidedBy: 'rita', evidence: false }])
    expect(await lostOf(rolf)).toMatchObject([
      {
        releaseId: id,
        name: 'overtaken',
        version: '2.0.0',
        action: 'approved',
        reason: 'I would have approved it.',
        cause: 'overtaken',
      },
    ])
    expect(await lostOf(rita)).toEqual([])
    expect((await undo(rolf, id)).status).toBe(409)
  })

  test('that is refused leaves what is held as it is', async () => {
    const id = await slow.submit({ name: 'stays-held' })
    await decide(rita, id, 'approved')
    expect((await review(slow.registry, slow.administrator, id, 'revoked')).status).toBe(409)
    expect((await getDeskRelease(rita, id)).held).toMatchObject({ action: 'approved', by: 'rita' })
    expect((await lostOf(rita)).filter(({ releaseId }) => releaseId === id)).toEqual([])
  })
})
