import { expect, test } from 'vitest'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { summarizeEffect, effectsOf } from './decision-effects.ts'

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
      publisher: 'Marta Okafor',
      createdAt: '2026-03-01T00:00:00.000Z',
      releases: { pending: 1, approved: 4, rejected: 1, revoked: 0 },
      decided: [],
    },
    history: [],
    downloads: 0,
    approvalsNeeded: 1,
    firstApproval: null,
    ...change,
  }
}
const withoutRuns = { reviewer: 'Ilse Verbeek', observation: null, undoMs: 10_000, publishReason: false }
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

test('an approval lists what becomes public: the notes, and the test runs if there were any', () => {
  const runs = {
    reviewer: 'Ilse Verbeek',
    observation: { checks: '1.6', runs: [run, run, run] },
    undoMs: 10_000,
    publishReason: false,
  }
  const text = effectsOf('approved', release(), runs).join(' ')
  expect(text).toContain('csv-to-json 2.1.0 becomes the latest release')
  expect(text).toContain(
    'under your name, with 3 test runs “observed by Ilse Verbeek with checks version 1.6”',
  )
  expect(effectsOf('approved', release(), withoutRuns).join(' ')).toContain('No test runs are published')
})

test('approving an older version keeps the newer one as the latest', () => {
  const older = release({ siblings: [sibling(12, '3.0.0'), sibling(13, '3.1.0', 'pending')] })
  expect(effectsOf('approved', older, withoutRuns)[0]).toContain('3.0.0 stays the latest.')
  expect(summarizeEffect(older)).toContain('3.0.0 stays the latest csv-to-json')
})

test('a rejection makes nothing public, and the publisher can read the notes', () => {
  const text = effectsOf('rejected', release({ siblings: [sibling(2, '2.0.3')] }), withoutRuns).join(' ')
  expect(text).toContain('Nothing becomes public. 2.0.3 stays the latest.')
  expect(text).toContain('Marta Okafor sees these notes.')
})

test('approvals and rejections state the undo window, or that they take effect immediately', () => {
  const last = (action: 'approved' | 'rejected', undoMs: number | null) =>
    effectsOf(action, release(), { ...withoutRuns, undoMs }).at(-1)
  for (const action of ['approved', 'rejected'] as const) {
    expect(last(action, 25_000)).toBe(
      'The decision takes effect in 25 seconds, even if you close the desk. Until then you can undo it.',
    )
    expect(last(action, 1000)).toContain('in 1 second,')
    expect(last(action, 500)).toContain('in 0.5 seconds,')
    expect(last(action, 0)).toBe("The decision takes effect immediately and can't be undone.")
    // Nothing is promised before the server has reported its undo window.
    expect(last(action, null)).not.toMatch(/effect|undo/)
  }
})

test('a revocation states the downloads since the approval and that it cannot be undone', () => {
  const approved = {
    id: 1,
    releaseId: 10,
    name: 'csv-to-json',
    version: '2.1.0',
    action: 'approved' as const,
    reason: 'I read all of it.',
    decidedBy: 'Ilse Verbeek',
    decidedAt: '2026-09-09T12:00:00.000Z',
    evidence: true,
  }
  const text = effectsOf(
    'revoked',
    release({ status: 'approved', downloads: 1204, history: [approved] }),
    withoutRuns,
    now,
  )
  expect(text[0]).toBe('1,204 downloads since it was approved on 9 Sep.')
  expect(text.join(' ')).toContain("The decision takes effect immediately and can't be undone.")
  expect(text.join(' ')).not.toContain('Until then')
  expect(text.join(' ')).toContain('Marta Okafor sees these notes. They are not made public: the advisory')
  expect(effectsOf('revoked', release(), { ...withoutRuns, publishReason: true })).toContain(
    'Marta Okafor sees these notes, and the public advisory of the revocation contains them.',
  )
  expect(effectsOf('revoked', release({ history: [approved] }), withoutRuns, now)[0]).toBe(
    'No downloads since it was approved on 9 Sep.',
  )
})
