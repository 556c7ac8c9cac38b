import { expect, test } from 'vitest'
import { trueUntil } from '../agent-live.ts'
import { utcWhen } from '../agent-time.ts'
import { dollarTick, formatCents } from '../cost/money.ts'
import { auditChecked, auditProblems } from '../overview/overview-notes.ts'
import { inDesk, webAddress } from '../../../lib/app/address.ts'

test('money that is not known is the word, and little money is not rounded to nothing', () => {
  expect(formatCents(null)).toBe('unknown')
  expect(formatCents(0)).toBe('$0.00')
  expect(formatCents(2750)).toBe('$27.50')
  expect(formatCents(0.29)).toBe('$0.0029')
  expect(dollarTick(4, 2)).toBe('$4')
  expect(dollarTick(0.5, 0.25)).toBe('$0.50')
})

test('times are in UTC: the clock today, the weekday within a week, else the date', () => {
  const now = Date.parse('2026-11-22T10:00:00Z')
  expect(utcWhen('2026-11-22T09:55:30Z', now)).toBe('09:55:30')
  expect(utcWhen('2026-11-20T16:20:00Z', now)).toBe('Fri 16:20')
  expect(utcWhen('2026-10-12T16:20:00Z', now)).toBe('12 Oct')
  expect(utcWhen('2025-10-12T16:20:00Z', now)).toBe('12 Oct 2025')
})

test('a view is as new as the last look at the file where nothing was written since', () => {
  const stamp = { readAt: '2026-11-22T10:00:00Z', changedAt: '2026-11-22T09:00:00Z' }
  const look = { readAt: '2026-11-22T10:00:09Z', changedAt: stamp.changedAt }
  expect(trueUntil(stamp, look)).toBe(Date.parse(look.readAt))
  expect(trueUntil(stamp, { ...look, changedAt: look.readAt })).toBe(Date.parse(stamp.readAt))
  expect(trueUntil(stamp, undefined)).toBe(Date.parse(stamp.readAt))
})

test('only addresses of the web become links', () => {
  expect(webAddress('https://a.example/x')).toBe('https://a.example/x')
  expect(webAddress('javascript:alert(1)')).toBeNull()
  expect(webAddress('a.example')).toBeNull()
  expect(inDesk('/desk/agents/list')).toBe('/agents/list')
})

test('the audit says what does not match, what is missing, and how much has been checked', () => {
  const summary = {
    total: 1200,
    today: 5,
    checked: 1000,
    mismatches: 1,
    missing: 6,
    gaps: 1,
    checkedAt: null,
    firstId: 1,
    lastId: 1206,
  }
  expect(auditProblems(summary)).toBe('1 does not match, 6 missing')
  expect(auditProblems({ ...summary, mismatches: 0, missing: 0 })).toBeNull()
  expect(auditChecked(summary)).toBe('1,200 in all, 1,000 hashes checked')
  expect(auditChecked({ ...summary, checked: 1200 })).toBe('1,200 in all, every hash checked')
  expect(auditChecked({ ...summary, total: null })).toBe('1,000 checked so far')
})
