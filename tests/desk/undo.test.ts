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
import type { DecisionDetails, DeskClient } from '../support/desk/desk-client.ts'
import { review } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

/** No held decision takes effect there during a test. */
let slow: TestRegistry
/** Held decisions take effect soon there. */
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

const decide = (client: DeskClient, id: number, action: string, details?: DecisionDetails) =>
  decideAtDesk(client, id, action, details)
const undo = (client: DeskClient, id: number) =>
  client.send<{ code?: string; error?: string; success?: boolean }>('DELETE', `/releases/${id}/decision`)
const lostOf = async (client: DeskClient): Promise<LostDecision[]> =>
  (await client.get<{ items: LostDecision[] }>('/lost-decisions')).body.items

const aFewSeconds = /\bin (10|[1-9]) s\b/

describe('an approval or a rejection at the desk', () => {
  test('is held for ten seconds, and every desk shows the person, the decision and the time left', async () => {
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

  test('takes effect after the undo window, with review notes and evidence', async () => {
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

  test('is refused while another one is held, and the error names person, decision and time left', async () => {
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

  test('of two administrators at the same time is held for one, and the other is told who decided', async () => {
    const id = await slow.submit({ name: 'both' })
    const replies = await Promise.all([decide(rita, id, 'approved'), decide(rolf, id, 'rejected')])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const winner = replies[0]?.status === 200 ? /^rita approved/ : /^Rolf Brandt rejected/
    expect(replies.find(({ status }) => status === 409)?.body.error).toMatch(winner)
  })

  test('on an already decided release is refused with the name of the person', async () => {
    const id = await slow.release({ name: 'over' }, 'rejected')
    const reply = await decide(rolf, id, 'approved')
    expect(reply).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(reply.body.error).toContain('over 1.0.0 is rejected (by rita)')
  })
})

test('a revocation takes effect immediately', async () => {
  const id = await slow.release({ name: 'revoked' }, 'approved')
  expect(await decide(rita, id, 'revoked')).toMatchObject({ status: 200, body: { held: null } })
  expect((await getDeskRelease(rita, id)).status).toBe('revoked')
  expect((await fetch(`${slow.api}/skills/revoked`)).status).toBe(404)
})

describe('undo', () => {
  test("reverts one's own decision, and the release can be decided again", async () => {
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

  test('is refused for another administrator, who is told who decided', async () => {
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

  test('is refused with an explanation once the decision has taken effect', async () => {
    const id = await quick.submit({ name: 'too-late' })
    await decideToEffect(quickRita, id, 'approved')
    const reply = await undo(quickRita, id)
    expect(reply).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(reply.body.error).toContain('too-late 1.0.0 is already approved (by rita)')
    expect((await undo(quickRita, 99_999)).status).toBe(404)
  })

  test('at the end of the undo window either succeeds or fails, and the next decision has its own window', async () => {
    const one = async (id: number, index: number): Promise<'undone' | 'carried out'> => {
      await decide(quickRita, id, 'approved')
      // Around the time it is due.
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
      // One at a time, because the server limits concurrent submissions.
      ids.push(await quick.submit({ name: `race-${index}` }))
    }
    expect(await Promise.all(ids.map(one))).toHaveLength(24)
    expect(await lostOf(quickRita)).toEqual([])
  })
})

describe('a decision through the registry', () => {
  test('takes effect immediately and overrides a held one, which is reported as lost', async () => {
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

  test('that is refused does not affect a held one', async () => {
    const id = await slow.submit({ name: 'stays-held' })
    await decide(rita, id, 'approved')
    expect((await review(slow.registry, slow.administrator, id, 'revoked')).status).toBe(409)
    expect((await getDeskRelease(rita, id)).held).toMatchObject({ action: 'approved', by: 'rita' })
    expect((await lostOf(rita)).filter(({ releaseId }) => releaseId === id)).toEqual([])
  })
})
