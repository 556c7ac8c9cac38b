import { expect, test } from 'vitest'
import { currentUntil } from '../agents.api.ts'
import { utcWhen } from '../agent-time.ts'
import { dollarTick, formatCents } from '../cost/money.ts'
import { inDesk, webAddress } from '../../../lib/app/page-address.ts'

test('an unknown amount is “unknown”, and a small amount is not rounded to $0', () => {
  expect(formatCents(null)).toBe('unknown')
  expect(formatCents(0)).toBe('$0.00')
  expect(formatCents(2750)).toBe('$27.50')
  expect(formatCents(0.29)).toBe('$0.0029')
  expect(dollarTick(4, 2)).toBe('$4')
  expect(dollarTick(0.5, 0.25)).toBe('$0.50')
})

test('times are in UTC: the clock time today, the weekday within a week, otherwise the date', () => {
  const now = Date.parse('2026-11-22T10:00:00Z')
  expect(utcWhen('2026-11-22T09:55:30Z', now)).toBe('09:55:30')
  expect(utcWhen('2026-11-20T16:20:00Z', now)).toBe('Fri 16:20')
  expect(utcWhen('2026-10-12T16:20:00Z', now)).toBe('12 Oct')
  expect(utcWhen('2025-10-12T16:20:00Z', now)).toBe('12 Oct 2025')
})

test('a view is as current as the last poll if nothing was written since it was read', () => {
  const stamp = { readAt: '2026-11-22T10:00:00Z', changedAt: '2026-11-22T09:00:00Z' }
  const poll = { readAt: '2026-11-22T10:00:09Z', changedAt: stamp.changedAt }
  expect(currentUntil(stamp, poll)).toBe(Date.parse(poll.readAt))
  expect(currentUntil(stamp, { ...poll, changedAt: poll.readAt })).toBe(Date.parse(stamp.readAt))
  expect(currentUntil(stamp, undefined)).toBe(Date.parse(stamp.readAt))
})

test('only web addresses become links', () => {
  expect(webAddress('https://a.example/x')).toBe('https://a.example/x')
  expect(webAddress('javascript:alert(1)')).toBeNull()
  expect(webAddress('a.example')).toBeNull()
  expect(inDesk('/desk/agents/list')).toBe('/agents/list')
})
