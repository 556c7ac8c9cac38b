import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideAtDesk, getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call, manifest, publish, review } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

/** Texts of at least 20 characters that are invisible, or nearly so. */
const blanks = [
  ['spaces', ' '.repeat(20)],
  ['line breaks and tabs', '\r\n\t'.repeat(8)],
  ['no-break and wide spaces', '\u00A0\u3000'.repeat(10)],
  ['zero-width spaces', '\u200B'.repeat(20)],
  ['joiners and direction marks', '\u200D\u200E\u2060'.repeat(8)],
  ['Hangul and Braille fillers', '\u3164\u2800'.repeat(10)],
] as const

describe.each(blanks)('a text of %s', (_what, blank) => {
  test('is refused as the reason for a decision, by the registry and the desk', async () => {
    const id = await app.submit({ name: `blank-${Math.floor(performance.now() * 1000)}` })
    for (const action of ['approved', 'rejected'] as const) {
      const there = await review(app.registry, app.administrator, id, action, blank)
      expect(there).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
      const here = await decideAtDesk(rita, id, action, { reason: blank })
      expect(here).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', issues: [{ path: 'reason' }] },
      })
    }
    expect((await getDeskRelease(rita, id)).status).toBe('pending')
  })

  test.each(['description', 'readme', 'inputs', 'outputs', 'license'] as const)(
    'is refused as the %s of a manifest',
    async (field) => {
      const reply = await publish(
        app.registry,
        app.developer,
        manifest({ name: 'blank-field', [field]: blank }),
        app.wasm,
      )
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'INVALID_MANIFEST', issues: [{ path: field }] },
      })
    },
  )

  test('is refused as a name, label, template, project or folder', async () => {
    const refused = async (method: string, path: string, body: unknown, where: string): Promise<void> => {
      const reply = await rita.send<{ issues?: { path: string }[] }>(method, path, body)
      expect([reply.status, reply.body.issues?.[0]?.path], `${method} ${path}`).toEqual([400, where])
    }
    await refused('POST', '/people', { subject: 'blank', name: blank, role: 'developer' }, 'name')
    await refused('POST', '/own/tokens', { label: blank, days: 1 }, 'label')
    const reason = { action: 'approved', label: 'Label', sentence: 'Sentence.' }
    await refused('PUT', '/reasons', { items: [{ ...reason, label: blank }] }, 'items.0.label')
    await refused('PUT', '/reasons', { items: [{ ...reason, sentence: blank }] }, 'items.0.sentence')
    await refused('PUT', '/settings', { changes: { workspace: blank } }, 'workspace')
    await refused('PUT', '/settings', { changes: { host: blank } }, 'host')
    await refused('PUT', '/agents/project', { folder: blank }, 'folder')
    const login = await call<{ code: string }>(`${app.registry}/api/skilldock/logins`, {
      method: 'POST',
      body: { client: blank },
    })
    expect(login).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })
})

test('a reason is measured and stored without surrounding whitespace', async () => {
  const id = await app.submit({ name: 'reason-length' })
  const short = `  good ok.${' '.repeat(10)}`
  const refused = await review(app.registry, app.administrator, id, 'rejected', short)
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'reason' }] } })
  expect((await review(app.registry, app.administrator, id, 'rejected', '\n  It is fine. \t')).status).toBe(
    200,
  )
  expect((await getDeskRelease(rita, id)).reviewReason).toBe('It is fine.')
})

test('an emoji counts as one character at the lower and the upper limit', async () => {
  const id = await app.submit({ name: 'reason-emoji' })
  const send = (reason: string) => review(app.registry, app.administrator, id, 'rejected', reason)
  expect((await send('\u{1F600}'.repeat(9))).status).toBe(400)
  expect((await send('\u{1F600}'.repeat(2001))).status).toBe(400)
  expect((await send('\u{1F600}'.repeat(2000))).status).toBe(200)
})
