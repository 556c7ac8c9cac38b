import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { prepareBackup } from '../../src/server/backup/create-backup.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { signInCode } from '../support/desk/desk-client.ts'
import { cleanUp, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

let app: TestServer
let folder: string
let backup: { file: string; key: string }
beforeAll(async () => {
  backup = await makeBackup()
})
beforeEach(async () => {
  folder = temporaryFolder()
  app = await startTestServer({ folder, environment: {} })
})
afterEach(() => app.stop())
afterAll(cleanUp)

const isAnswering = (): Promise<boolean> =>
  fetch(`${app.registry}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
const leftovers = (): string[] => readdirSync(folder).filter((name) => name.startsWith('.'))

/** A backup of the demo, and its signing key. */
async function makeBackup(): Promise<typeof backup> {
  const from = dataPaths(join(temporaryFolder(), 'data'))
  expect((await skilldock(from.folder, ['demo'])).status).toBe(0)
  const file = join(temporaryFolder(), 'backup.tar')
  const task = prepareBackup(from, file, () => {})
  await task.run()
  task.abandon()
  return { file, key: readFileSync(from.signingKey, 'utf8') }
}

test('a backup replaces a registry without people, and the services are stopped', async () => {
  writeFileSync(dataPaths(folder).settings, '{"dailySubmissions":3}')
  const { file, key } = backup
  const messages: string[] = []
  await app.server.restoreBackup(file, (text) => messages.push(text))
  expect(messages.at(-1)).toMatch(/^images (\S+ \S+) of \1$/)
  expect(await isAnswering()).toBe(false)
  expect(readFileSync(dataPaths(folder).signingKey, 'utf8')).toBe(key)
  // The settings of the replaced registry do not apply.
  expect(readdirSync(folder)).not.toContain('settings.json')
  expect(leftovers()).toEqual([])
  const again = await startTestServer({ folder })
  const people = await withPeople(async (list) => list.listPeople(), folder)
  expect(people.map(({ subject }) => subject)).toContain('marta')
  await again.stop()
})

test('a backup in the folder of backups is restored and kept, like the others there', async () => {
  const { backups, signingKey } = dataPaths(folder)
  mkdirSync(backups, { recursive: true })
  for (const name of ['mine.tar', 'older.tar']) copyFileSync(backup.file, join(backups, name))
  // What the schedule has recorded is about the replaced registry.
  writeFileSync(join(backups, 'state.json'), '{}')
  await app.server.restoreBackup(join(backups, 'mine.tar'), () => {})
  expect(readFileSync(signingKey, 'utf8')).toBe(backup.key)
  expect(readdirSync(backups).toSorted()).toEqual(['mine.tar', 'older.tar'])
  expect(readFileSync(join(backups, 'mine.tar')).equals(readFileSync(backup.file))).toBe(true)
})

test('an incomplete backup changes nothing, and the services keep running', async () => {
  const { file } = backup
  const half = join(temporaryFolder(), 'half.tar')
  writeFileSync(half, readFileSync(file).subarray(0, -20_000))
  const key = readFileSync(dataPaths(folder).signingKey, 'utf8')
  await expect(app.server.restoreBackup(half, () => {})).rejects.toThrow(
    /^half\.tar cannot be restored \(.+\)\. Choose another backup\.$/s,
  )
  expect(await isAnswering()).toBe(true)
  expect(readFileSync(dataPaths(folder).signingKey, 'utf8')).toBe(key)
  expect(leftovers()).toEqual([])
})

test('a first administrator who is created while the services stop is refused, not lost', async () => {
  const code = await signInCode(app, null)
  const body = Buffer.from(JSON.stringify({ code, subject: 'alice', name: 'Alice' }))
  const client = await connectRaw(app.dashboard)
  const headers = {
    Origin: app.dashboard,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Expect: '100-continue',
  }
  await client.send(requestHead('POST', `${app.dashboard}/desk/api/first-run`, headers))
  expect((await client.answer()).status).toBe(100)
  const restored = app.server.restoreBackup(backup.file, () => {})
  await until('the services stop', () => app.server.local.state === 'stopping')
  await client.send(body)
  expect((await client.answer()).status).toBe(503)
  client.destroy()
  await restored
  expect(readFileSync(dataPaths(folder).signingKey, 'utf8')).toBe(backup.key)
})

test('a registry that has people is never replaced', async () => {
  const { file } = backup
  await app.token({ subject: 'alice' })
  await expect(app.server.restoreBackup(file, () => {})).rejects.toThrow('This registry already has people')
  expect(await isAnswering()).toBe(true)
})
