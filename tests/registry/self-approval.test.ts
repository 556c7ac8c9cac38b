import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { ConfigError } from '../../src/server/settings/config-error.ts'
import { readConfig } from '../../src/server/settings/config.ts'
import type { LostDecision } from '../../src/shared/contracts/desk-decisions.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import type { QueueRow } from '../../src/shared/contracts/desk-review.ts'
import type { SelfApproval } from '../../src/shared/settings.ts'
import type { ReviewStatement } from '../../src/shared/contracts/evidence.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { decideAtDesk, getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call, review } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let rita: DeskClient
let ruth: DeskClient
let ruthToken: string
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  ruthToken = await app.token({ subject: 'ruth', role: 'administrator' })
  rita = await signIn(app, 'rita')
  ruth = await signIn(app, 'ruth')
})
afterAll(() => app.stop())

const set = async (key: 'review.selfApproval' | 'undoMs', value: SelfApproval | number): Promise<void> => {
  const reply = await rita.send('PUT', '/settings', { changes: { [key]: value } })
  expect(reply).toMatchObject({ status: 200 })
}
/** Submits a release as rita, an administrator. */
const submitOwn = (name: string): Promise<number> => app.submit({ name }, app.administrator)
const approve = (id: number, token: string) =>
  review(app.registry, token, id, 'approved', 'Read it and ran it.')
const statementOf = async (name: string): Promise<ReviewStatement> =>
  (await call<ReviewStatement>(`${app.registry}/api/skilldock/skills/${name}/1.0.0/review`)).body
const pageOf = async (name: string): Promise<string> =>
  (await fetch(`${app.registry}/skills/${name}/1.0.0`, { headers: { accept: 'text/html' } })).text()
const documentOf = async (name: string): Promise<string> =>
  (await fetch(`${app.registry}/docs-markdown/marketplace/${name}/1.0.0.md`)).text()
const historyOf = async (): Promise<AuditEntry[]> =>
  (await rita.get<{ items: AuditEntry[] }>('/history?kind=approved')).body.items

describe('a self-approval', () => {
  test('is shown in the statement, on the page, in the document, in the audit log and in the queue', async () => {
    expect((await approve(await submitOwn('own-work'), app.administrator)).status).toBe(200)
    expect((await approve(await submitOwn('looked-at'), ruthToken)).status).toBe(200)

    expect(await statementOf('own-work')).toMatchObject({ decidedBy: expect.any(String), selfApproved: true })
    expect(await statementOf('looked-at')).toMatchObject({ selfApproved: false })
    expect(await pageOf('own-work')).toContain('Self-approved by its publisher.')
    expect(await pageOf('looked-at')).not.toContain('Self-approved by its publisher.')
    expect(await documentOf('own-work')).toContain('\nSelf-approved by its publisher.\n')
    expect(await documentOf('looked-at')).not.toContain('Self-approved by its publisher.')

    const entries = await historyOf()
    expect(entries.map(({ name, selfApproved }) => [name, selfApproved])).toEqual([
      ['looked-at', false],
      ['own-work', true],
    ])
    const { items } = (await rita.get<{ items: QueueRow[] }>('/releases?view=decided')).body
    expect(new Map(items.map(({ name, selfApproved }) => [name, selfApproved]))).toEqual(
      new Map([
        ['own-work', true],
        ['looked-at', false],
      ]),
    )
    const csv = await (await rita.open('/history.csv')).text()
    const [head = '', ...lines] = csv.trim().split('\r\n')
    const columns = head.split(',')
    const self = columns.indexOf('self-approved')
    expect(self).toBeGreaterThan(0)
    expect(lines.filter((line) => line.split(',')[self] === 'yes').map((line) => line.split(',')[3])).toEqual(
      ['own-work'],
    )
  })

  test('is refused by the registry and the desk if the setting is never, and changes nothing', async () => {
    await set('review.selfApproval', 'never')
    try {
      const id = await submitOwn('never-own')
      const refusedThere = await approve(id, app.administrator)
      expect(refusedThere).toMatchObject({ status: 403, body: { code: 'SELF_REVIEW' } })
      const refusedHere = await decideAtDesk(rita, id, 'approved')
      expect(refusedHere).toMatchObject({ status: 403, body: { code: 'SELF_REVIEW' } })
      expect(refusedHere.body.error).toMatch(/Ask another reviewer/)
      expect(await getDeskRelease(rita, id)).toMatchObject({
        status: 'pending',
        selfApproval: 'never',
        history: [],
      })
      expect(await getDeskRelease(ruth, id)).toMatchObject({ selfApproval: null })
      expect((await approve(id, ruthToken)).status).toBe(200)
      expect(await statementOf('never-own')).toMatchObject({ selfApproved: false })
    } finally {
      await set('review.selfApproval', 'allowed')
    }
  })

  test('is all that the setting affects: rejecting and revoking your own release stay possible', async () => {
    const approved = await submitOwn('own-revoked')
    expect((await approve(approved, app.administrator)).status).toBe(200)
    await set('review.selfApproval', 'never')
    try {
      const rejected = await submitOwn('own-rejected')
      expect((await decideAtDesk(rita, rejected, 'rejected')).status).toBe(200)
      const revoked = await review(
        app.registry,
        app.administrator,
        approved,
        'revoked',
        'It should not be listed.',
      )
      expect(revoked.status).toBe(200)
      expect((await getDeskRelease(rita, approved)).statement).toMatchObject({ selfApproved: false })
    } finally {
      await set('review.selfApproval', 'allowed')
    }
  })

  test('is not carried out if the setting changes within the undo window', async () => {
    await set('undoMs', 500)
    try {
      const id = await submitOwn('held-own')
      const reply = await decideAtDesk(rita, id, 'approved')
      expect(reply).toMatchObject({ status: 200, body: { held: { action: 'approved' } } })
      await set('review.selfApproval', 'never')
      const lost = await until('the decision is reported as not carried out', async () => {
        const { items } = (await rita.get<{ items: LostDecision[] }>('/lost-decisions')).body
        return items.find(({ releaseId }) => releaseId === id) ?? null
      })
      expect(lost.cause).toBe('barred')
      expect((await getDeskRelease(rita, id)).status).toBe('pending')
    } finally {
      await set('undoMs', 0)
      await set('review.selfApproval', 'allowed')
    }
  })
})

describe('the setting', () => {
  const configOf = (settings: object, environment: Record<string, string> = {}) => {
    const folder = temporaryFolder()
    writeFileSync(dataPaths(folder).settings, JSON.stringify(settings))
    return readConfig({ SKILLDOCK_DATA: folder, ...environment })
  }

  test('may be written with a dot or as an object; the environment takes precedence', () => {
    expect(configOf({})['review.selfApproval']).toBe('allowed')
    expect(configOf({ 'review.selfApproval': 'never' })['review.selfApproval']).toBe('never')
    expect(configOf({ review: { selfApproval: 'never' } })['review.selfApproval']).toBe('never')
    const environment = { SKILLDOCK_REVIEW_SELF_APPROVAL: 'allowed' }
    expect(configOf({ review: { selfApproval: 'never' } }, environment)['review.selfApproval']).toBe(
      'allowed',
    )
  })

  test('with an invalid value is refused and named', async () => {
    expect(() => configOf({ review: { selfApproval: 'sometimes' } })).toThrow(ConfigError)
    expect(() => configOf({ review: { selfApproval: 'sometimes' } })).toThrow(
      /settings\.json: review\.selfApproval /,
    )
    expect(() => configOf({ review: { other: 1 } })).toThrow(/review\.other is not a known field/)
    const reply = await rita.send('PUT', '/settings', { changes: { 'review.selfApproval': 'sometimes' } })
    expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: 'review.selfApproval' }] } })
    expect(readFileSync(dataPaths(app.folder).settings, 'utf8')).not.toContain('sometimes')
  })
})
