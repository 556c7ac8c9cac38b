import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { withOrigin } from '../../src/server/db/log/origin.ts'
import { createCheckBacklog } from '../../src/server/domains/releases/checks/check-backlog.service.ts'
import { createLogger } from '../../src/server/operations/logging.ts'
import { forkHelper } from '../../src/server/processes/fork-helper.ts'
import { createLocalFileStore } from '../../src/server/storage/local-file-store.ts'
import { createWasmValidator } from '../../src/server/wasm/wasm-validator.ts'
import { getDeskRelease, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import { manifest, review } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { helperEntries } from '../support/server/server.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

interface Sent {
  method?: string
  headers: Record<string, string>
  body: string | Uint8Array
}

/** Sends a request's body only after `meanwhile`, which runs once the server has authenticated the caller. */
async function sendLate(
  url: string,
  { method = 'POST', headers, body }: Sent,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; code: string | undefined }> {
  const bytes = Buffer.from(body)
  const client = await connectRaw(url)
  const sent = { ...headers, 'Content-Length': bytes.length, Expect: '100-continue' }
  await client.send(requestHead(method, url, sent))
  expect((await client.answer()).status).toBe(100)
  await meanwhile()
  await client.send(bytes)
  const answer = await client.answer()
  client.destroy()
  return { status: answer.status, code: (JSON.parse(answer.body) as { code?: string }).code }
}

const json = (token: string, value: unknown): Sent => ({
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

const approval = { action: 'approved', reason: 'I read all of it.' }

const jtiOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }).jti

const revoke = (token: string) => () => withPeople((people) => people.revokeToken(jtiOf(token)), app.folder)

describe('access that ends while a request is being sent', () => {
  let id: number
  let names = 0
  beforeEach(async () => {
    names += 1
    id = await app.submit({ name: `late-${names}` })
  })
  const statusNow = async (): Promise<string> => (await getDeskRelease(rita, id)).status

  test('by the revocation of the token does not decide a release', async () => {
    const token = await app.token({ subject: 'rolf', role: 'reviewer' })
    const answer = await sendLate(`${app.api}/review/${id}`, json(token, approval), revoke(token))
    expect(answer).toEqual({ status: 401, code: 'TOKEN_REVOKED' })
    expect(await statusNow()).toBe('pending')
  })

  test('by another role does not decide a release', async () => {
    const token = await app.token({ subject: 'rolf', role: 'reviewer' })
    const answer = await sendLate(`${app.api}/review/${id}`, json(token, approval), () =>
      withPeople((people) => people.changeRole('rolf', 'developer'), app.folder),
    )
    expect(answer).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(await statusNow()).toBe('pending')
  })

  test('by the removal of the person does not decide a release', async () => {
    const token = await app.token({ subject: 'removed', role: 'reviewer' })
    const answer = await sendLate(`${app.api}/review/${id}`, json(token, approval), () =>
      withPeople((people) => people.removePerson('removed'), app.folder),
    )
    expect(answer).toEqual({ status: 401, code: 'TOKEN_REVOKED' })
    expect(await statusNow()).toBe('pending')
  })

  test('by signing out does not decide a release', async () => {
    const desk = await signIn(app, 'rita')
    const sent = json(desk.authorization.replace('Bearer ', ''), {
      ...approval,
      growthSeen: [],
      observation: null,
    })
    const answer = await sendLate(
      `${app.dashboard}/desk/api/releases/${id}/decision`,
      { ...sent, headers: { ...sent.headers, Origin: app.dashboard } },
      () => desk.send('DELETE', '/session'),
    )
    expect(answer).toEqual({ status: 401, code: 'SESSION_MISSING' })
    expect((await getDeskRelease(rita, id)).held).toBeNull()
  })

  test('by the revocation of the token does not submit a release', async () => {
    const token = await app.token({ subject: 'alice' })
    const body = multipartBody([manifestPart(manifest({ name: 'never-submitted' })), wasmPart(app.wasm)])
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': multipartType }
    const answer = await sendLate(`${app.api}/publish`, { headers, body }, revoke(token))
    expect(answer).toEqual({ status: 401, code: 'TOKEN_REVOKED' })
    const own = await fetch(`${app.api}/mine`, { headers: { authorization: `Bearer ${app.developer}` } })
    expect(await own.text()).not.toContain('never-submitted')
    expect((await app.packageFiles()).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('leaves what was decided before as it is', async () => {
    const token = await app.token({ subject: 'rolf', role: 'reviewer' })
    expect((await review(app.registry, token, id, 'approved')).status).toBe(200)
    await revoke(token)()
    expect(await statusNow()).toBe('approved')
  })
})

test('checks that a request has set off go on without its permission', async () => {
  const id = await app.submit({ name: 'checked-again' })
  await withDatabase(app, async (database) => {
    const { reader, writer } = database
    const isStale = reader
      .prepare<[number], 0 | 1>('SELECT stale FROM release_checks WHERE release_id = ?')
      .pluck()
    writer.prepare('UPDATE release_checks SET stale = 1 WHERE release_id = ?').run(id)
    const validator = createWasmValidator({
      startProcess: () => forkHelper(helperEntries.modules, 'modules'),
    })
    const backlog = createCheckBacklog({
      database,
      files: await createLocalFileStore(dataPaths(app.folder).packages),
      validator,
      log: createLogger({ write: () => {} }),
    })
    const ended = {
      assert() {
        throw new Error('The request has lost its permission')
      },
    }
    withOrigin({ person: 1, channel: 'api', address: null }, backlog.wake, ended)
    await backlog.settle()
    await validator.stop()
    expect(isStale.get(id)).toBe(0)
  })
})
