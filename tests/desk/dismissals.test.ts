import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QueueRow } from '../../src/shared/contracts/desk-review.ts'
import type { JudgedFinding, Judgement } from '../../src/shared/contracts/findings.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { decideAtDesk, deskClient, getDeskRelease, openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { goodManifest, quietModule } from '../support/fixtures/findings.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
let alice: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  await app.token({ subject: 'rolf', name: 'Rolf', role: 'administrator' })
  rita = await signIn(app, 'rita')
  alice = await signIn(app, 'alice')
})
afterAll(() => app.stop())

let modules = 0
/** Submits a release whose only finding is that its license is not an SPDX expression. */
const submit = async (name: string, change: Partial<SkillManifest> = {}): Promise<number> => {
  modules += 1
  return app.submit(
    { ...goodManifest, license: 'mit', name, ...change },
    app.developer,
    await quietModule(modules),
  )
}
const findingOf = async (id: number, check = 'license-unknown'): Promise<JudgedFinding> => {
  const finding = (await getDeskRelease(rita, id)).checks?.findings.find((one) => one.check === check)
  if (finding === undefined) throw new Error(`Release ${id} has no finding ${check}`)
  return finding
}
const rowOf = async (id: number): Promise<QueueRow['checks'] | undefined> => {
  const { items } = (await rita.get<{ items: QueueRow[] }>('/releases?view=all&sort=newest')).body
  return items.find((row) => row.id === id)?.checks
}
const reason = 'It is the MIT license, in lowercase.'
const dismiss = async (id: number, fingerprint?: string, by = rita) =>
  by.send<Judgement & { code?: string; error?: string }>('POST', `/releases/${id}/judgements`, {
    fingerprint: fingerprint ?? (await findingOf(id)).fingerprint,
    reason,
  })

describe('a dismissed finding', () => {
  test('shows who dismissed it, when and why, and is no longer open', async () => {
    const id = await submit('dismissed')
    expect(await rowOf(id)).toMatchObject({ warnings: 1 })
    const reply = await dismiss(id)
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      id: expect.any(Number),
      reason,
      judgedBy: 'rita',
      judgedAt: expect.any(String),
      version: '1.0.0',
    })
    expect((await findingOf(id)).judgement).toEqual(reply.body)
    expect(await rowOf(id)).toMatchObject({ warnings: 0 })
  })

  test('is listed after the open ones', async () => {
    const id = await submit('ordered', { description: 'Turns\u200B every letter.' })
    await dismiss(id, (await findingOf(id, 'text-invisible')).fingerprint)
    const { checks } = await getDeskRelease(rita, id)
    expect(checks?.findings.map(({ check }) => check)).toEqual(['license-unknown', 'text-invisible'])
    expect(await rowOf(id)).toMatchObject({ errors: 0, warnings: 1 })
  })

  test('stays dismissed in every version where it is unchanged, and is open where it changed', async () => {
    const first = await submit('carried')
    const waiting = await submit('carried', { version: '1.0.1' })
    await dismiss(first)
    const later = await submit('carried', { version: '1.1.0', readme: `${goodManifest.readme}\n\nMore.` })
    for (const id of [waiting, later]) {
      expect((await findingOf(id)).judgement).toMatchObject({ reason, version: '1.0.0' })
      expect(await rowOf(id)).toMatchObject({ warnings: 0 })
    }
    const changed = await submit('carried', { version: '1.2.0', license: 'The MIT one' })
    expect((await findingOf(changed)).judgement).toBeNull()
    expect(await rowOf(changed)).toMatchObject({ warnings: 1 })
  })

  test('stays open for every other skill', async () => {
    await dismiss(await submit('name-alone'))
    const other = await submit('name-other')
    expect((await findingOf(other)).judgement).toBeNull()
  })

  test('is not recorded as open with a decision', async () => {
    const id = await submit('decided', { description: 'Turns\u200B every letter.' })
    await dismiss(id)
    await decideAtDesk(rita, id, 'rejected')
    expect((await getDeskRelease(rita, id)).statement?.evidence?.openFindings).toEqual(['text-invisible'])
  })

  test('can be one of a decided release', async () => {
    const id = await submit('after')
    await decideAtDesk(rita, id, 'approved')
    expect((await dismiss(id)).status).toBe(201)
    const next = await submit('after', { version: '1.1.0' })
    expect((await findingOf(next)).judgement).toMatchObject({ version: '1.0.0' })
  })

  test('is announced to every open desk', async () => {
    const id = await submit('heard')
    const stream = await openEvents(await signIn(app, 'rolf'))
    const { releases } = await stream.next()
    const { body } = await dismiss(id)
    const after = await stream.next()
    expect(after.releases).toBeGreaterThan(releases)
    await rita.send('DELETE', `/judgements/${body.id}`)
    expect((await stream.next()).releases).toBeGreaterThan(after.releases)
    stream.close()
  })
})

describe('a finding that only the desk can compute', () => {
  const fingerprint = 'c'.repeat(32)
  const dismissObserved = (id: number, check?: string) =>
    rita.send<{ code?: string }>('POST', `/releases/${id}/judgements`, { fingerprint, reason, check })

  test('is dismissed with the id of its check, for later versions too', async () => {
    const id = await submit('observed')
    expect((await dismissObserved(id, 'import-unused')).status).toBe(201)
    const next = await submit('observed', { version: '1.1.0' })
    for (const release of [id, next]) {
      expect((await getDeskRelease(rita, release)).checks?.observed).toEqual([
        { fingerprint, judgement: expect.objectContaining({ reason, version: '1.0.0' }) },
      ])
    }
  })

  test('cannot be one of a check that the server runs itself', async () => {
    const id = await submit('unobserved')
    expect(await dismissObserved(id, 'license-unknown')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect((await dismissObserved(id)).status).toBe(404)
  })
})

describe('a second dismissal', () => {
  test('is refused, and the error says who was first and why', async () => {
    const id = await submit('twice')
    await dismiss(id)
    const next = await submit('twice', { version: '1.1.0' })
    const refused = await dismiss(next, undefined, await signIn(app, 'rolf'))
    expect(refused).toMatchObject({ status: 409, body: { code: 'ALREADY_JUDGED' } })
    expect(refused.body.error).toBe(`rita has already dismissed this finding, for 1.0.0: “${reason}”`)
  })

  test('of two at the same time, exactly one succeeds', async () => {
    const id = await submit('race')
    const rolf = await signIn(app, 'rolf')
    const { fingerprint } = await findingOf(id)
    const replies = await Promise.all([dismiss(id, fingerprint), dismiss(id, fingerprint, rolf)])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })
})

describe('a withdrawn dismissal', () => {
  test('reopens the finding in every version and can be made again', async () => {
    const id = await submit('withdrawn')
    const next = await submit('withdrawn', { version: '1.1.0' })
    const { body } = await dismiss(id)
    expect(await rita.send('DELETE', `/judgements/${body.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    for (const open of [id, next]) {
      expect((await findingOf(open)).judgement).toBeNull()
      expect(await rowOf(open)).toMatchObject({ warnings: 1 })
    }
    expect(await rita.send('DELETE', `/judgements/${body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    const again = await dismiss(next)
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(body.id)
    expect((await findingOf(id)).judgement).toMatchObject({ version: '1.1.0' })
  })

  test('is in the history of its release, as is the dismissal', async () => {
    const id = await submit('told')
    const { body } = await dismiss(id)
    await rita.send('DELETE', `/judgements/${body.id}`)
    const { events, history } = await getDeskRelease(rita, id)
    expect(events.map(({ kind, person, check, why }) => [kind, person, check, why])).toEqual([
      ['withdrawn', 'rita', 'license-unknown', reason],
      ['judged', 'rita', 'license-unknown', reason],
      ['submitted', 'Alice', null, null],
    ])
    expect(history).toEqual([])
  })
})

describe('a dismissal is refused for', () => {
  test('a finding that the release does not have, and a release that does not exist', async () => {
    const id = await submit('refuses')
    const { fingerprint } = await findingOf(id)
    for (const [release, print] of [
      [id, 'a'.repeat(32)],
      [999_999, fingerprint],
    ] as const) {
      expect(await dismiss(release, print)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    expect((await rita.send('DELETE', '/judgements/999999')).status).toBe(404)
    expect((await findingOf(id)).judgement).toBeNull()
  })

  test.each([
    ['a malformed fingerprint', { fingerprint: 'A'.repeat(32), reason }],
    ['no reason', { fingerprint: 'a'.repeat(32) }],
    ['a blank reason', { fingerprint: 'a'.repeat(32), reason: '  no  ' }],
    ['a reason that is too long', { fingerprint: 'a'.repeat(32), reason: 'x'.repeat(501) }],
  ])('%s', async (_, body) => {
    expect((await rita.send('POST', '/releases/1/judgements', body)).status).toBe(400)
  })

  test('anyone but an administrator, and a page of another origin', async () => {
    const id = await submit('forbidden')
    const { fingerprint } = await findingOf(id)
    expect((await dismiss(id, fingerprint, alice)).status).toBe(403)
    expect((await dismiss(id, fingerprint, deskClient(app))).status).toBe(401)
    const { body } = await dismiss(id, fingerprint)
    expect((await alice.send('DELETE', `/judgements/${body.id}`)).status).toBe(403)
    const elsewhere = await fetch(`${app.dashboard}/desk/api/judgements/${body.id}`, {
      method: 'DELETE',
      headers: { authorization: rita.authorization, origin: 'http://elsewhere.example' },
    })
    expect(elsewhere.status).toBe(403)
    expect((await findingOf(id)).judgement).not.toBeNull()
  })
})
