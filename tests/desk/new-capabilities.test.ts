import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  decideAtDesk,
  decideToEffect,
  getDeskRelease,
  signIn,
  withDatabase,
} from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { review } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const submit = async (name: string, version: string, ...imports: string[]): Promise<number> =>
  app.submit({ name, version }, app.developer, await importingModule(...imports))
/** Submits a release and approves it through the registry. */
const approved = async (name: string, version: string, ...imports: string[]): Promise<number> => {
  const id = await submit(name, version, ...imports)
  await app.decide(id, 'approved')
  return id
}
const approve = (id: number, growthSeen: string[] = []) => decideAtDesk(rita, id, 'approved', { growthSeen })

describe('an approval at the desk', () => {
  test('is refused until all new capabilities are confirmed, and the error names them', async () => {
    await approved('grows', '1.0.0', 'fd_write')
    const id = await submit('grows', '1.1.0', 'fd_write', 'random_get', 'sock_recv', 'clock_time_get')
    const none = await approve(id)
    expect(none).toMatchObject({ status: 409, body: { code: 'GROWTH_NOT_SEEN' } })
    expect(none.body.error).toBe(
      'grows 1.1.0 has new capabilities since 1.0.0: it reads the clock, gets random numbers and uses sockets it is ' +
        'given. Confirm the new capabilities, then approve.',
    )
    const some = await approve(id, ['clock', 'sockets'])
    expect(some.body).toMatchObject({ code: 'GROWTH_NOT_SEEN' })
    expect(some.body.error).toMatch(
      /^grows 1\.1\.0 has new capabilities since 1\.0\.0: it gets random numbers\. /,
    )
    expect(await getDeskRelease(rita, id)).toMatchObject({ status: 'pending', held: null, history: [] })
    const all = await decideToEffect(rita, id, 'approved', {
      growthSeen: ['random', 'clock', 'sockets', 'read'],
    })
    // Only capabilities that are new are stored as confirmed.
    expect(all.statement?.evidence?.growthSeen).toEqual(['clock', 'random', 'sockets'])
  })

  test('needs no confirmation for a first submission or without new capabilities', async () => {
    const first = await submit('quiet', '1.0.0', 'path_open', 'random_get')
    expect((await decideToEffect(rita, first, 'approved')).status).toBe('approved')
    const less = await submit('quiet', '1.1.0', 'path_open', 'fd_close', 'fd_filestat_get')
    expect((await decideToEffect(rita, less, 'approved')).status).toBe('approved')
  })

  test('compares with the approved release that was submitted last', async () => {
    await approved('last', '1.0.0', 'random_get')
    await approved('last', '1.1.0')
    const rejected = await submit('last', '1.2.0', 'random_get')
    await app.decide(rejected, 'rejected')
    const id = await submit('last', '1.3.0', 'random_get')
    expect((await approve(id)).body.error).toContain('since 1.1.0: it gets random numbers')
    // A revoked release is not a baseline, because nobody runs it any longer.
    const between = await approved('last', '1.4.0', 'random_get')
    expect((await approve(id)).status).toBe(200)
    await app.decide(between, 'revoked')
    const next = await submit('last', '1.5.0', 'random_get', 'clock_time_get')
    expect((await approve(next)).body.error).toContain('since 1.3.0: it reads the clock')
  })

  test('treats every capability as new if the imports of the earlier release are unknown', async () => {
    const old = await approved('old', '1.0.0', 'random_get')
    await withDatabase(app, (database) =>
      database.transact(
        () => void database.writer.prepare('DELETE FROM release_modules WHERE release_id = ?').run(old),
      ),
    )
    const id = await submit('old', '1.1.0', 'random_get')
    expect((await approve(id)).body).toMatchObject({ code: 'GROWTH_NOT_SEEN' })
    expect((await approve(id, ['random'])).status).toBe(200)
  })
})

test('a rejection and a revocation need no confirmation', async () => {
  await approved('other', '1.0.0')
  const rejected = await submit('other', '1.1.0', 'random_get')
  expect((await decideToEffect(rita, rejected, 'rejected')).statement?.evidence?.growthSeen).toEqual([])
  const revoked = await submit('other', '1.2.0', 'random_get')
  expect((await approve(revoked, ['random'])).status).toBe(200)
  expect((await decideAtDesk(rita, revoked, 'revoked')).status).toBe(200)
})

test('the registry API needs no confirmation', async () => {
  await approved('plain', '1.0.0')
  const id = await submit('plain', '1.1.0', 'random_get')
  expect((await review(app.registry, app.administrator, id, 'approved')).status).toBe(200)
})

test('an unknown capability cannot be confirmed', async () => {
  const id = await submit('odd', '1.0.0')
  expect(await approve(id, ['teleport'])).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
})
