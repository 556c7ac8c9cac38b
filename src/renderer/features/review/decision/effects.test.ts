import { expect, test } from 'vitest'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { effectAtRest, effectsOf } from './effects.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const sibling = (id: number, version: string, status: ReleaseStatus = 'approved') => ({
  id,
  version,
  status,
  createdAt: '2026-10-01T00:00:00.000Z',
})

function release(change: Partial<DeskRelease> = {}): Parameters<typeof effectsOf>[1] {
  return {
    id: 10,
    name: 'csv-to-json',
    version: '2.1.0',
    status: 'pending',
    siblings: [],
    owner: {
      id: 3,
      subject: 'marta',
      issuer: 'skilldock',
      publisher: 'Marta Okafor',
      createdAt: '2026-03-01T00:00:00.000Z',
      releases: { pending: 1, approved: 4, rejected: 1, revoked: 0 },
      decided: [],
    },
    history: [],
    downloads: 0,
    ...change,
  }
}
const nothing = { reviewer: 'Ilse Verbeek', observation: null, undoMs: 10_000 }
const run = {
  example: 0,
  end: 'exited' as const,
  exitCode: 0,
  stdoutSha256: '0'.repeat(64),
  stdoutBytes: 1,
  stderrBytes: 0,
  timeMs: 4,
  peakMemoryBytes: 65_536,
  calls: [],
  detail: null,
}

test('an approval says what becomes public: the notes, and the runs or that there are none', () => {
  const runs = {
    reviewer: 'Ilse Verbeek',
    observation: { checks: '1.6', runs: [run, run, run] },
    undoMs: 10_000,
  }
  const words = effectsOf('approved', release(), runs).join(' ')
  expect(words).toContain('csv-to-json 2.1.0 becomes the latest')
  expect(words).toContain(
    'these notes under your name, and 3 runs as “observed by Ilse Verbeek with checks 1.6”',
  )
  expect(effectsOf('approved', release(), nothing).join(' ')).toContain('“no evidence given”')
})

test('an approval of an older version leaves the newer one the latest', () => {
  const older = release({ siblings: [sibling(12, '3.0.0'), sibling(13, '3.1.0', 'pending')] })
  expect(effectsOf('approved', older, nothing)[0]).toContain('3.0.0 stays the latest.')
  expect(effectAtRest(older)).toContain('3.0.0 stays the latest csv-to-json')
})

test('a rejection makes nothing public and names who reads the notes', () => {
  const words = effectsOf('rejected', release({ siblings: [sibling(2, '2.0.3')] }), nothing).join(' ')
  expect(words).toContain('Nothing becomes public. 2.0.3 stays the latest.')
  expect(words).toContain('Marta Okafor sees these notes.')
})

test('an approval and a rejection state the undo window; at 0 they take effect at once', () => {
  const last = (action: 'approved' | 'rejected', undoMs: number | null) =>
    effectsOf(action, release(), { ...nothing, undoMs }).at(-1)
  for (const action of ['approved', 'rejected'] as const) {
    expect(last(action, 25_000)).toBe(
      'It takes effect in 25 seconds, even if you close the desk. Until then you can undo it.',
    )
    expect(last(action, 1000)).toContain('in 1 second,')
    expect(last(action, 500)).toContain('in 0.5 seconds,')
    expect(last(action, 0)).toBe('It takes effect at once, without undo.')
    // Nothing is promised before the server has reported its undo window.
    expect(last(action, null)).not.toMatch(/effect|undo/)
  }
})

test('a revocation counts the downloads since the approval and says that there is no undo', () => {
  const approved = {
    id: 1,
    releaseId: 10,
    name: 'csv-to-json',
    version: '2.1.0',
    action: 'approved' as const,
    reason: 'Looked at all of it.',
    decidedBy: 'Ilse Verbeek',
    decidedAt: '2026-09-09T12:00:00.000Z',
    evidence: true,
  }
  const words = effectsOf(
    'revoked',
    release({ status: 'approved', downloads: 1204, history: [approved] }),
    nothing,
    now,
  )
  expect(words[0]).toBe('1,204 downloads since it was approved on 9 Sep.')
  expect(words.join(' ')).toContain('It takes effect at once, without undo.')
  expect(words.join(' ')).not.toContain('Until then')
  expect(effectsOf('revoked', release({ history: [approved] }), nothing, now)[0]).toBe(
    'No downloads since it was approved on 9 Sep.',
  )
})
