import { expect, test } from 'vitest'
import type { AuditPage } from '../../../../shared/contracts/desk-agents-audit.ts'
import { auditTime, checkProgress, gapText, searchedPart } from './audit-labels.ts'

const gap = {
  from: 1_048_195,
  to: 1_048_200,
  rows: 6,
  after: '2026-11-20T09:55:30.000Z',
  before: '2026-11-20T10:37:51.000Z',
  lamportContinues: true,
}

test('a gap names the missing rows, the time between, and whether they may never have existed', () => {
  expect(gapText(gap)).toEqual({
    title: 'Rows 1,048,195 to 1,048,200 are missing',
    detail:
      'between 09:55:30 and 10:37:51. The Lamport clock has no gap, so the missing rows may never have existed.',
  })
  expect(
    gapText({ ...gap, to: gap.from, rows: 1, before: '2026-11-21T00:00:01.000Z', lamportContinues: false }),
  ).toEqual({
    title: 'Row 1,048,195 is missing',
    detail: 'between 2026-11-20 09:55:30 Z and 2026-11-21 00:00:01 Z. The Lamport clock has a gap as well.',
  })
  expect(gapText({ ...gap, after: null, lamportContinues: null }).detail).toBe(
    'between rows with unknown times. The Lamport clock around the gap is unknown.',
  )
})

test('an invalid time is unknown', () => {
  expect(auditTime(null)).toBe('unknown')
  expect(auditTime('2026-11-20T10:42:07.250Z')).toBe('2026-11-20 10:42:07 Z')
})

test('the check of all hashes shows its progress until every row has been checked', () => {
  const summary = {
    total: 1000,
    today: 0,
    checked: 1000,
    mismatches: 0,
    missing: 0,
    gaps: 0,
    checkedAt: '2026-11-20T10:42:07.000Z',
    firstId: 1,
    lastId: 1000,
  }
  expect(checkProgress(summary, null)).toBeNull()
  expect(checkProgress(summary, { done: 250_000, total: 1_000_000 })).toEqual({
    text: '250,000 of about 1,000,000 hashes checked',
    done: 0.25,
  })
  expect(checkProgress({ ...summary, checked: 400, checkedAt: null }, null)).toEqual({
    text: '400 of 1,000 hashes checked',
    done: 0.4,
  })
})

test('a search shows how much of the audit it has covered once the first row is known', () => {
  const page = { summary: { firstId: 1 } } as AuditPage
  const found = { rows: 2, top: 1000, at: 600, state: 'paused', page } as const
  expect(searchedPart(found)).toBeCloseTo(0.401, 3)
  expect(searchedPart({ ...found, state: 'done', at: null })).toBe(1)
  expect(searchedPart({ ...found, page: null, at: null })).toBeNull()
})
