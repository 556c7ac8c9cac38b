import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Observation, ObservedRun } from '../../src/shared/contracts/evidence.ts'
import {
  decideAtDesk,
  decideToEffect,
  getDeskRelease,
  signIn,
  withDatabase,
} from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
let moduleDigest: string
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
  moduleDigest = digestOf(app.wasm)
})
afterAll(() => app.stop())

const digestOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

const examples = [
  { input: 'straße', output: 'STRASSE\n' },
  { input: '', output: '' },
]
const submit = (name: string): Promise<number> => app.submit({ name, examples })

const run = (change: Partial<ObservedRun> = {}): ObservedRun => ({
  example: 0,
  end: 'exited',
  exitCode: 0,
  stdoutSha256: digestOf('STRASSE\n'),
  stdoutBytes: 8,
  stderrBytes: 0,
  timeMs: 1.25,
  peakMemoryBytes: 65_536,
  calls: [
    { name: 'fd_read', count: 2 },
    { name: 'fd_write', count: 1 },
  ],
  detail: null,
  ...change,
})
const observation = (change: Partial<Observation> = {}): Observation => ({
  sha256: moduleDigest,
  checks: '1.0',
  ranAt: '2026-11-21T10:00:00.000Z',
  limits: { timeMs: 10_000, memoryBytes: 67_108_864, outputBytes: 1_048_576 },
  runs: [run()],
  ...change,
})

describe('the evidence of a decision', () => {
  test("is stored in full with the decision, with the server's verdict on each run", async () => {
    const id = await submit('kept')
    const seen = observation({
      runs: [run({ example: 1, stdoutSha256: digestOf(''), stdoutBytes: 0 }), run()],
    })
    const release = await decideToEffect(rita, id, 'approved', {
      reason: 'The examples pass.',
      observation: seen,
    })
    expect(release.history).toMatchObject([{ action: 'approved', evidence: true }])
    expect(release.statement).toEqual({
      action: 'approved',
      selfApproved: false,
      notes: 'The examples pass.',
      decidedBy: 'rita',
      decidedAt: release.history[0]?.decidedAt,
      sha256: release.sha256,
      evidence: {
        growthSeen: [],
        openFindings: expect.any(Array),
        observation: { ...seen, runs: seen.runs.map((one) => ({ ...one, passed: true })) },
      },
    })
  })

  const failures: [string, Partial<ObservedRun>][] = [
    ['produced different output', { stdoutSha256: digestOf('STRAßE\n') }],
    ['omitted the last line feed', { stdoutSha256: digestOf('STRASSE'), stdoutBytes: 7 }],
    ['exited with another code', { exitCode: 1 }],
    ['exited without a code', { exitCode: null }],
    ['timed out', { end: 'time-limit', exitCode: null }],
    ['trapped after its output', { end: 'trapped', exitCode: null, detail: 'unreachable' }],
    ['ran out of memory', { end: 'memory-limit' }],
    ['wrote too much', { end: 'output-limit' }],
    ['was not run', { end: 'not-run', detail: 'Wants 96 MiB to start.' }],
  ]
  test.each(failures)(
    'marks a run as failed if it %s, but does not block the decision',
    async (what, change) => {
      const id = await submit(`failed-${what.replaceAll(/[^a-z]+/g, '-')}`)
      const release = await decideToEffect(rita, id, 'approved', {
        observation: observation({ runs: [run(change)] }),
      })
      expect(release.status).toBe('approved')
      expect(release.statement?.evidence?.observation?.runs).toEqual([{ ...run(change), passed: false }])
    },
  )

  test('is optional, and is also stored with a rejection or a revocation', async () => {
    const without = await decideToEffect(rita, await submit('without'), 'approved')
    expect(without.statement?.evidence).toMatchObject({ growthSeen: [], observation: null })
    const rejected = await decideToEffect(rita, await submit('rejected'), 'rejected', {
      observation: observation(),
    })
    expect(rejected.statement?.evidence?.observation?.runs).toMatchObject([{ passed: true }])
    const revoked = await decideToEffect(rita, without.id, 'revoked', {
      observation: observation({ runs: [run({ exitCode: 3 })] }),
    })
    expect(revoked.statement).toMatchObject({
      action: 'revoked',
      evidence: { observation: { runs: [{ exitCode: 3, passed: false }] } },
    })
  })
})

describe('a decision with evidence is refused', () => {
  const refused = async (name: string, seen: unknown) => {
    const id = await submit(name)
    const reply = await decideAtDesk(rita, id, 'approved', { observation: seen })
    expect(await getDeskRelease(rita, id)).toMatchObject({ status: 'pending', history: [] })
    const { code, error, issues } = reply.body as unknown as {
      code: string
      error: string
      issues: { path: string; message: string }[]
    }
    return { status: reply.status, code, error, paths: issues.map(({ path }) => path) }
  }

  test('if a different module was run', async () => {
    const sha256 = digestOf('other bytes')
    const reply = await refused('other-bytes', observation({ sha256 }))
    expect(reply).toMatchObject({ status: 400, code: 'EVIDENCE_MISMATCH', paths: ['observation.sha256'] })
    expect(reply.error).toContain(moduleDigest)
  })

  test('if an example does not exist or is reported twice', async () => {
    const beyond = await refused('beyond', observation({ runs: [run(), run({ example: 2 })] }))
    expect(beyond).toMatchObject({
      status: 400,
      code: 'EVIDENCE_MISMATCH',
      paths: ['observation.runs.1.example'],
    })
    expect(beyond.error).toContain('must be below 2; the manifest has 2 examples')
    const twice = await refused('twice', observation({ runs: [run(), run()] }))
    expect(twice).toMatchObject({ code: 'EVIDENCE_MISMATCH', paths: ['observation.runs.1.example'] })
    expect(twice.error).toContain('must not repeat example 0')
  })

  test.each([
    ['no run', observation({ runs: [] })],
    ['more runs than a manifest has examples', observation({ runs: [run(), run(), run(), run()] })],
    ['an invalid digest', observation({ sha256: 'abc' })],
    ['a negative time', observation({ runs: [run({ timeMs: -1 })] })],
    ['a fraction of a byte', observation({ runs: [run({ stdoutBytes: 0.5 })] })],
    ['an unknown end', { ...observation(), runs: [{ ...run(), end: 'won' }] }],
    ['a verdict of its own', { ...observation(), runs: [{ ...run(), passed: true }] }],
    [
      'a function twice',
      observation({
        runs: [
          run({
            calls: [
              { name: 'a', count: 1 },
              { name: 'a', count: 2 },
            ],
          }),
        ],
      }),
    ],
    [
      'more functions than WASI has',
      observation({
        runs: [run({ calls: Array.from({ length: 65 }, (_, n) => ({ name: `f${n}`, count: 1 })) })],
      }),
    ],
    ['a detail that is too long', observation({ runs: [run({ detail: 'x'.repeat(301) })] })],
  ])('if it is malformed or too large: %s', async (what, seen) => {
    const reply = await refused(`shape-${what.replaceAll(/[^a-z]+/g, '-')}`, seen)
    expect(reply).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(reply.paths[0]).toMatch(/^observation\./)
  })
})

test('open findings are stored as the ids of their checks; dismissed ones are not', async () => {
  const id = await submit('findings')
  const finding = (check: string, fingerprint: string) => ({ check, fingerprint })
  const findings = [
    finding('name-near', 'a'.repeat(32)),
    finding('import-unused', 'b'.repeat(32)),
    finding('import-unused', 'c'.repeat(32)),
    finding('debug-size', 'd'.repeat(32)),
    finding('text-hidden', 'e'.repeat(32)),
  ]
  const judge = (fingerprint: string, withdrawnAt: string | null) => [fingerprint, withdrawnAt] as const
  await withDatabase(app, (database) =>
    database.transact(() => {
      database.writer.prepare('DELETE FROM release_checks WHERE release_id = ?').run(id)
      database.writer
        .prepare(`INSERT INTO release_checks VALUES (?, '1.0', '2026-11-21T10:00:00.000Z', ?, 0, 0, '{}', 0)`)
        .run(id, JSON.stringify(findings))
      const insert = database.writer.prepare(
        `INSERT INTO judgements (name, check_id, fingerprint, reason, release_id, judged_by, judged_at, withdrawn_at)
         VALUES ('findings', 'c', ?, 'It is harmless.', ?, 2, '2026-11-21T10:00:00.000Z', ?)`,
      )
      for (const [fingerprint, withdrawnAt] of [
        judge('a'.repeat(32), null),
        judge('b'.repeat(32), null),
        judge('d'.repeat(32), '2026-11-21T10:00:01.000Z'),
      ]) {
        insert.run(fingerprint, id, withdrawnAt)
      }
    }),
  )
  expect((await decideAtDesk(rita, id, 'rejected')).status).toBe(200)
  const evidence = await withDatabase(app, async ({ reader }) =>
    reader
      .prepare<[number], string>(
        'SELECT e.evidence FROM decision_evidence e JOIN decisions d ON d.id = e.decision_id WHERE d.release_id = ?',
      )
      .pluck()
      .get(id),
  )
  expect(JSON.parse(evidence ?? 'null')).toEqual({
    growthSeen: [],
    openFindings: ['import-unused', 'debug-size', 'text-hidden'],
    observation: null,
  })
})

test('a decision through the registry has no evidence and is shown as such', async () => {
  const id = await submit('registry')
  await app.decide(id, 'approved')
  const release = await getDeskRelease(rita, id)
  expect(release.statement).toMatchObject({ action: 'approved', decidedBy: 'rita', evidence: null })
  expect(release.history).toMatchObject([{ evidence: false }])
})

test('a release shows the last decision, and none before the first one', async () => {
  const id = await submit('last')
  expect((await getDeskRelease(rita, id)).statement).toBeNull()
  await decideToEffect(rita, id, 'approved', { observation: observation() })
  await app.decide(id, 'revoked')
  expect((await getDeskRelease(rita, id)).statement).toMatchObject({ action: 'revoked', evidence: null })
})
