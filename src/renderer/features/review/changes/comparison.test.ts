import { expect, test } from 'vitest'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { defaultBase } from './comparison.ts'

type Sibling = DeskRelease['siblings'][number]

const sibling = (id: number, status: Sibling['status']): Sibling => ({
  id,
  version: `1.${id}.0`,
  status,
  createdAt: '2026-11-20T10:00:00.000Z',
})

const siblings = [
  sibling(9, 'approved'),
  sibling(4, 'rejected'),
  sibling(3, 'approved'),
  sibling(2, 'approved'),
]

test('a pending release is compared with the latest approved one, a decided one with the approved one before it', () => {
  expect(defaultBase({ id: 5, status: 'pending', siblings, checks: null })).toBe(9)
  expect(defaultBase({ id: 5, status: 'approved', siblings, checks: null })).toBe(3)
  expect(defaultBase({ id: 1, status: 'approved', siblings, checks: null })).toBeNull()
  expect(
    defaultBase({ id: 5, status: 'pending', siblings: [sibling(4, 'revoked')], checks: null }),
  ).toBeNull()
})

test("the base of the server's checks takes precedence", () => {
  const checks = {
    version: '1.0',
    count: 1,
    checkedAt: '2026-11-20T10:00:00.000Z',
    findings: [],
    observed: [],
    growth: { base: { id: 3, version: '1.3.0' }, capabilities: [], functions: [] },
  }
  expect(defaultBase({ id: 5, status: 'pending', siblings, checks })).toBe(3)
  const first = { ...checks, growth: { ...checks.growth, base: null } }
  expect(defaultBase({ id: 5, status: 'pending', siblings, checks: first })).toBeNull()
})
