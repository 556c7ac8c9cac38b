import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prepareBackup } from '../../src/server/backup/create-backup.ts'
import { fromBackup, restoreInto } from '../../src/server/backup/restore-backup.ts'
import { verifyFolder } from '../../src/server/backup/verify-folder.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { DataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { TokenRequest } from '../../src/server/domains/identity/people.service.ts'
import { claimEmptyFolder } from '../../src/server/data-folder/empty-folder.ts'
import type { LostDecision } from '../../src/shared/contracts/desk-decisions.ts'
import { cleanUp, serve, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import { decideAtDesk, deskClient, getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { manifest, publish } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'

afterAll(cleanUp)

const lostOf = async (client: DeskClient): Promise<LostDecision[]> =>
  (await client.get<{ items: LostDecision[] }>('/lost-decisions')).body.items

test('after a crash a held decision has not taken effect, and its administrator is notified until they dismiss it', async () => {
  const folder = join(temporaryFolder(), 'data')
  const token = async (request: TokenRequest): Promise<string> =>
    (await withPeople((people) => people.issueToken(request), folder)).token
  await token({ subject: 'rita', role: 'administrator' })
  await token({ subject: 'rolf', role: 'administrator' })
  const alice = await token({ subject: 'alice' })

  const crashing = await serve(folder)
  const before = { folder, dashboard: crashing.dashboard }
  const [rita, rolf] = [await signIn(before, 'rita'), await signIn(before, 'rolf')]
  const module = await importingModule()
  const submit = async (name: string): Promise<number> =>
    (await publish(crashing.registry, alice, manifest({ name }), module)).body.id
  const ids = [await submit('one'), await submit('two'), await submit('three')] as const
  const replies = [
    await decideAtDesk(rita, ids[0], 'approved', { reason: 'It is good as it is.' }),
    await decideAtDesk(rita, ids[1], 'rejected', { reason: 'It is not good yet.' }),
    await decideAtDesk(rolf, ids[2], 'approved'),
  ]
  crashing.kill('SIGKILL')
  expect((await crashing.ended).signal).toBe('SIGKILL')
  expect(replies.map(({ body }) => body.held?.action)).toEqual(['approved', 'rejected', 'approved'])

  let app = await startTestRegistry({ folder })
  const ritas = await signIn(app, 'rita')
  const rolfs = await signIn(app, 'rolf')
  for (const id of ids) {
    expect(await getDeskRelease(ritas, id)).toMatchObject({ status: 'pending', held: null, history: [] })
  }
  const lost = await lostOf(ritas)
  expect(lost).toEqual([
    {
      id: expect.any(Number),
      releaseId: ids[1],
      name: 'two',
      version: '1.0.0',
      action: 'rejected',
      reason: 'It is not good yet.',
      heldAt: expect.any(String),
      cause: 'stopped',
    },
    expect.objectContaining({ releaseId: ids[0], action: 'approved', reason: 'It is good as it is.' }),
  ])
  expect(await lostOf(rolfs)).toMatchObject([{ releaseId: ids[2], cause: 'stopped' }])
  expect((await (await signIn(app, 'alice')).get('/lost-decisions')).status).toBe(403)
  expect((await deskClient(app).get('/lost-decisions')).status).toBe(401)

  // Only the person notified can dismiss it, and only once.
  const path = `/lost-decisions/${lost[0]?.id}`
  expect(await rolfs.send('DELETE', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(await ritas.send('DELETE', path)).toMatchObject({ status: 200, body: { success: true } })
  expect((await ritas.send('DELETE', path)).status).toBe(404)
  expect(await lostOf(ritas)).toEqual([lost[1]])

  // The release can be decided again, and the next start does not notify again.
  expect((await decideAtDesk(rolfs, ids[0], 'rejected')).status).toBe(200)
  await app.stop()
  app = await startTestRegistry({ folder })
  expect(await lostOf(await signIn(app, 'rita'))).toEqual([lost[1]])
  expect(await getDeskRelease(await signIn(app, 'rita'), ids[0])).toMatchObject({ status: 'rejected' })
  await app.stop()
})

test('while a server holds a decision, neither a command nor a second server affects it', async () => {
  const folder = join(temporaryFolder(), 'data')
  // Longer than any of the programs takes to start.
  const app = await startTestRegistry({ folder, checkReplies: false, config: { undoMs: 600_000 } })
  const rita = await signIn(app, 'rita')
  const id = await app.submit({ name: 'guarded' })
  await decideAtDesk(rita, id, 'rejected')
  expect(await skilldock(folder, ['people', 'list'])).toMatchObject({ status: 0 })
  const ports = { SKILLDOCK_PORT: '0', SKILLDOCK_DASHBOARD_PORT: '0' }
  expect((await skilldock(folder, ['serve'], ports)).stderr).toContain('is already using the data folder')
  expect(await lostOf(rita)).toEqual([])
  expect((await getDeskRelease(rita, id)).held).toMatchObject({ action: 'rejected', by: 'rita' })
  await app.stop()
})

test('a backup contains held decisions; after a restore they are reported as lost, not carried out', async () => {
  const paths = dataPaths(join(temporaryFolder(), 'data'))
  const app = await startTestRegistry({ folder: paths.folder })
  const rita = await signIn(app, 'rita')
  const decided = await app.release({ name: 'decided' }, 'approved')
  const held = await app.submit({ name: 'in-between' })
  await decideAtDesk(rita, held, 'approved')
  const file = join(temporaryFolder(), 'backup.tar')
  await prepareBackup(paths, file, () => {}).run()
  expect(await problemsOf(paths)).toEqual([])
  await app.stop()

  const copy = dataPaths(join(temporaryFolder(), 'data'))
  const claimed = claimEmptyFolder(copy, 'the test')
  await restoreInto(
    copy,
    fromBackup(file, () => {}),
  )
  claimed.release()
  expect(await problemsOf(copy)).toEqual([])
  const restored = await startTestRegistry({ folder: copy.folder })
  const again = await signIn(restored, 'rita')
  expect(await getDeskRelease(again, held)).toMatchObject({ status: 'pending', held: null })
  expect(await getDeskRelease(again, decided)).toMatchObject({ status: 'approved' })
  expect(await lostOf(again)).toMatchObject([{ releaseId: held, cause: 'stopped' }])
  await restored.stop()
  expect(await problemsOf(copy)).toEqual([])
})

async function problemsOf(paths: DataPaths): Promise<string[]> {
  const problems: string[] = []
  await verifyFolder(paths, {
    onFound: ({ problem }) => void problems.push(problem),
    onProgress: () => {},
    onOrphan: () => {},
  })
  return problems
}
