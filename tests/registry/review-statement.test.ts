import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReviewStatement } from '../../src/shared/contracts/evidence.ts'
import { decideToEffect, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
let sha256: string
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
  sha256 = createHash('sha256').update(app.wasm).digest('hex')
})
afterAll(() => app.stop())

const address = (name: string, version = '1.0.0'): string =>
  `${app.registry}/api/skilldock/skills/${name}/${version}/review`

/** The output that a browser recorded for the example in `manifest()`. */
const observation = {
  checks: '1.0',
  ranAt: '2026-11-21T10:00:00.000Z',
  limits: { timeMs: 10_000, memoryBytes: 67_108_864, outputBytes: 1_048_576 },
  runs: [
    {
      example: 0,
      end: 'exited',
      exitCode: 0,
      stdoutSha256: createHash('sha256').update('ABC').digest('hex'),
      stdoutBytes: 3,
      stderrBytes: 0,
      timeMs: 1,
      peakMemoryBytes: 65_536,
      calls: [],
      detail: null,
    },
  ],
}

describe('the review statement', () => {
  test('is public for an approved release: the decision, the reviewer and the evidence', async () => {
    await app.token({ subject: 'rita', name: 'Rita Sommer' })
    const id = await app.submit({ name: 'stated' })
    const { history } = await decideToEffect(rita, id, 'approved', {
      reason: 'The output matches the examples.',
      observation: { ...observation, sha256 },
    })
    const { status, headers, body } = await call<ReviewStatement>(address('stated'))
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      action: 'approved',
      notes: 'The output matches the examples.',
      decidedBy: 'Rita Sommer',
      decidedAt: history[0]?.decidedAt,
      sha256,
      selfApproved: false,
      evidence: {
        growthSeen: [],
        openFindings: expect.any(Array),
        observation: {
          ...observation,
          sha256,
          runs: observation.runs.map((run) => ({ ...run, passed: true })),
        },
      },
    })
  })

  test('says that there is no evidence if the decision was made without the desk', async () => {
    await app.release({ name: 'bare' }, 'approved')
    expect((await call<ReviewStatement>(address('bare'))).body).toMatchObject({
      action: 'approved',
      notes: 'It was approved with good reason.',
      selfApproved: false,
      evidence: null,
    })
  })

  test('does not reveal the subject of the reviewer', async () => {
    const token = await app.token({ subject: 'rolf@example.org', role: 'administrator' })
    const id = await app.submit({ name: 'nameless' })
    await call(`${app.api}/review/${id}`, {
      token,
      method: 'POST',
      body: { action: 'approved', reason: 'It works as documented.' },
    })
    expect((await call<ReviewStatement>(address('nameless'))).body.decidedBy).toMatch(/^Reviewer \d+$/)
  })

  test('exists only while the release is approved', async () => {
    const id = await app.submit({ name: 'comes-and-goes' })
    expect(await refusal(address('comes-and-goes'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    await app.decide(id, 'approved')
    expect((await call(address('comes-and-goes'))).status).toBe(200)
    await app.decide(id, 'revoked')
    expect(await refusal(address('comes-and-goes'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    await app.release({ name: 'comes-and-goes', version: '1.1.0' }, 'rejected')
    for (const [name, version] of [
      ['comes-and-goes', '1.1.0'],
      ['comes-and-goes', '9.9.9'],
      ['nothing', '1.0.0'],
    ] as const) {
      expect((await refusal(address(name, version))).status).toBe(404)
    }
    expect((await refusal(address('Upper_Case'))).status).toBe(400)
    expect((await refusal(address('nothing', '1.0'))).status).toBe(400)
  })

  test('is in the OpenAPI document, without authentication', async () => {
    const { body } = await call<{
      paths: Record<string, Record<string, { operationId: string; security: unknown[]; responses: object }>>
    }>(`${app.registry}/openapi.json`)
    const operation = body.paths['/api/skilldock/skills/{name}/{version}/review']?.['get']
    expect(operation).toMatchObject({ operationId: 'getReview', security: [] })
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['200', '404', '503']))
  })
})
