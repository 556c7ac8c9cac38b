import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/server/db/database.ts'
import { databaseUnavailable } from '../../src/server/db/database-errors.ts'
import { createDecisionEvidence } from '../../src/server/domains/releases/decisions/decision-evidence.service.ts'
import { createHeldDecisions } from '../../src/server/domains/releases/decisions/held-decisions.service.ts'
import { createReviewService } from '../../src/server/domains/releases/decisions/review-release.service.ts'
import { createLogger } from '../../src/server/operations/logging.ts'
import type { LostDecision } from '../../src/shared/contracts/desk-decisions.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { decideAtDesk, getDeskRelease, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const lostOf = async (client: DeskClient): Promise<LostDecision[]> =>
  (await client.get<{ items: LostDecision[] }>('/lost-decisions')).body.items

describe('a graceful stop', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skilldock-stop-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('carries out held decisions immediately, however long other work takes', async () => {
    // Neither the undo window nor the shutdown timeout ends before the test does.
    const first = await startTestRegistry({
      folder,
      checkReplies: false,
      stopTimeoutMs: 60_000,
      config: { undoMs: 600_000 },
    })
    const client = await signIn(first, 'rita')
    const big = padModule(first.wasm, 14_000_000)
    const id = await first.submit({ name: 'behind-a-download' }, first.developer, big)
    await decideAtDesk(client, id, 'approved')
    const slowReader = await client.open(`/releases/${id}/package`)
    const stopping = first.stop()
    await withDatabase(first, async ({ reader }) => {
      const status = reader.prepare<[number], string>('SELECT status FROM releases WHERE id = ?').pluck()
      await until('it is approved', () => status.get(id) === 'approved')
    })
    expect(first.server.local.state).toBe('stopping')
    await slowReader.body?.cancel()
    await stopping
  })

  test('carries out all held decisions except those that are no longer allowed', async () => {
    const first = await startTestRegistry({ folder })
    await first.token({ subject: 'rolf', role: 'administrator' })
    await first.token({ subject: 'removed', role: 'administrator' })
    const [one, two, three] = await Promise.all(['rita', 'rolf', 'removed'].map((who) => signIn(first, who)))
    if (one === undefined || two === undefined || three === undefined) throw new Error('three have signed in')
    const small = await importingModule()
    const ids = {
      approved: await first.submit({ name: 'at-stop-a' }),
      rejected: await first.submit({ name: 'at-stop-b' }),
      byFormer: await first.submit({ name: 'at-stop-c' }),
      byRemoved: await first.submit({ name: 'at-stop-d' }),
      base: await first.submit({ name: 'grows', version: '1.0.0' }, first.developer, small),
      grown: await first.submit(
        { name: 'grows', version: '1.1.0' },
        first.developer,
        await importingModule('random_get'),
      ),
    }
    await decideAtDesk(one, ids.approved, 'approved')
    await decideAtDesk(one, ids.rejected, 'rejected')
    await decideAtDesk(two, ids.byFormer, 'approved')
    await decideAtDesk(three, ids.byRemoved, 'approved')
    // No release of this skill was approved at that time, so there were no new capabilities.
    await decideAtDesk(one, ids.grown, 'approved')
    await first.decide(ids.base, 'approved')
    expect((await one.send('PATCH', '/people/3', { role: 'developer' })).status).toBe(200)
    expect((await one.send('DELETE', '/people/4')).status).toBe(200)
    await first.stop()

    const second = await startTestRegistry({ folder })
    const again = await signIn(second, 'rita')
    const statusOf = async (id: number) => {
      const { status, held } = await getDeskRelease(again, id)
      return [status, held]
    }
    expect(await statusOf(ids.approved)).toEqual(['approved', null])
    expect(await statusOf(ids.rejected)).toEqual(['rejected', null])
    expect((await fetch(`${second.api}/skills/at-stop-a`)).status).toBe(200)
    for (const id of [ids.byFormer, ids.byRemoved, ids.grown]) {
      expect(await statusOf(id)).toEqual(['pending', null])
    }
    expect(await lostOf(again)).toMatchObject([{ releaseId: ids.grown, cause: 'grown' }])
    await again.send('PATCH', '/people/3', { role: 'administrator' })
    expect(await lostOf(await signIn(second, 'rolf'))).toMatchObject([
      { releaseId: ids.byFormer, cause: 'barred' },
    ])
    await second.stop()
  })

  test('carries out the others if one fails', async () => {
    const first = await startTestRegistry({ folder, config: { undoMs: 600_000 } })
    const client = await signIn(first, 'rita')
    const damaged = await first.submit({ name: 'has-no-manifest' })
    const intact = await first.submit({ name: 'has-a-manifest' })
    for (const id of [damaged, intact]) {
      // In the order in which they are due.
      expect((await decideAtDesk(client, id, 'approved')).body.held).not.toBeNull()
    }
    await withDatabase(first, async ({ writer }) => {
      writer.prepare('DELETE FROM release_manifests WHERE release_id = ?').run(damaged)
    })
    await first.stop()
    expect(first.logs.join('')).toContain('has no manifest')

    await withDatabase(first, async ({ reader }) => {
      const status = reader.prepare<[number], string>('SELECT status FROM releases WHERE id = ?').pluck()
      expect([status.get(damaged), status.get(intact)]).toEqual(['pending', 'approved'])
    })
  })
})

test('a decision that is undone while being carried out and then made again has its own undo window', async () => {
  const id = await app.submit({ name: 'again' })
  await withDatabase(app, async (database) => {
    let enter = (): void => {}
    const gate = new Promise<void>((resolve) => (enter = resolve))
    let waiting = 0
    const gated: typeof database = {
      ...database,
      async transact(work) {
        // The second write carries out the decision and is delayed.
        waiting += 1
        if (waiting === 2) await gate
        return database.transact(work)
      },
    }
    const held = holding(gated)
    const administrator = {
      id: 2,
      issuer: 'skilldock',
      subject: 'rita',
      name: null,
      role: 'administrator',
    } as const
    await held.hold(id, 30, () => rejection)
    await until('it is being carried out', () => waiting === 2)
    await held.undoDecision(administrator, id)
    await held.hold(id, 30, () => ({ ...rejection, reason: 'The second one, later.' }))
    enter()
    const release = await until('the second one has taken effect', async () => {
      const now = await getDeskRelease(rita, id)
      return now.status === 'rejected' && now
    })
    expect(release).toMatchObject({ reviewReason: 'The second one, later.' })
    // The delayed write changed nothing. The others: hold, undo, hold, carry out.
    expect(waiting).toBe(5)
  })
})

test('a busy database delays a due decision but does not lose it', async () => {
  const id = await app.submit({ name: 'busy' })
  await withDatabase(app, async (database) => {
    let refusals = 0
    const flaky: typeof database = {
      ...database,
      transact(work) {
        if (!isHeld || refusals === 2) return database.transact(work)
        refusals += 1
        return Promise.reject(databaseUnavailable())
      },
    }
    let isHeld = false
    await holding(flaky).hold(id, 1, () => rejection)
    isHeld = true
    const release = await until('it is rejected', async () => {
      const now = await getDeskRelease(rita, id)
      return now.status === 'rejected' && now
    })
    expect(refusals).toBe(2)
    expect(release.history).toHaveLength(1)
  })
})

const rejection = {
  action: 'rejected',
  reason: 'Not now, thank you.',
  decidedBy: 2,
  evidence: JSON.stringify({ growthSeen: [], openFindings: [], observation: null }),
} as const

/** A second service for held decisions, besides the server's own. */
function holding(database: Database) {
  return createHeldDecisions({
    database,
    reviews: createReviewService(database),
    evidence: createDecisionEvidence(database.writer),
    log: createLogger({ write: () => {} }),
  })
}
