import { expect, test } from 'vitest'
import { auditKinds } from '../../../shared/audit-kinds.texts.ts'
import { changesLabel, groupOf, originLabel } from './audit-log-labels.ts'

test('each kind belongs to one group', () => {
  expect(new Set(auditKinds).size).toBe(auditKinds.length)
  expect(groupOf('judged')).toBe('releases')
  expect(groupOf('session.refused')).toBe('sign-ins')
})

test('changes show both values, and other events those of their row', () => {
  const changes = [{ field: 'role', from: 'developer', to: 'administrator' }]
  expect(changesLabel({ kind: 'person.changed', changes, count: 1 })).toBe('role: developer → administrator')
  const values = [{ field: 'removed_at', from: null, to: '2026-01-01' }]
  expect(changesLabel({ kind: 'person.removed', changes: values, count: 1 })).toBe('removed: 2026-01-01')
  const empty = [{ field: 'events', from: null, to: '' }]
  expect(changesLabel({ kind: 'mail.added', changes: empty, count: 1 })).toBe('events: none')
  const digest = [{ field: 'content', from: null, to: null }]
  expect(changesLabel({ kind: 'post.changed', changes: digest, count: 1 })).toBe('content changed')
  const code = [{ field: 'code', from: null, to: 'TOKEN_EXPIRED' }]
  expect(changesLabel({ kind: 'session.refused', changes: code, count: 3 })).toBe(
    'reason: TOKEN_EXPIRED, 3 times',
  )
})

test('the address of this computer is not shown', () => {
  expect(originLabel({ channel: 'desk', address: '127.0.0.1' })).toBe('desk')
  expect(originLabel({ channel: 'api', address: '203.0.113.9' })).toBe('API 203.0.113.9')
  expect(originLabel({ channel: null, address: null })).toBe('')
})
