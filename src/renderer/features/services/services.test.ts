import { expect, test } from 'vitest'
import type { DeskServices } from '../../../shared/contracts/desk-services.ts'
import { summarizeServices } from './services.api.ts'

const state = (change: Partial<DeskServices> = {}): DeskServices => ({
  services: [
    { name: 'registry', url: 'http://127.0.0.1:4280', state: 'running', error: null },
    { name: 'dashboard', url: 'http://127.0.0.1:4200', state: 'running', error: null },
  ],
  publicUrl: 'http://127.0.0.1:4280',
  startedAt: '2026-11-20T10:00:00.000Z',
  processId: 1,
  version: '1.0.0',
  nodeVersion: '24.0.0',
  memoryBytes: 1,
  dataFolder: '/data',
  database: 'ok',
  storage: 'ok',
  openDesks: 1,
  ...change,
})

test('both running is one sentence; what is not known is unknown', () => {
  expect(summarizeServices(state())).toEqual({ kind: 'running', words: 'Both services running' })
  expect(summarizeServices(undefined)).toEqual({ kind: 'unknown', words: 'Services unknown' })
})

test('trouble is named, the worst first', () => {
  const failed = state({
    services: [
      { name: 'registry', url: '', state: 'failed', error: 'EADDRINUSE' },
      { name: 'dashboard', url: '', state: 'running', error: null },
    ],
  })
  expect(summarizeServices(failed)).toEqual({ kind: 'failed', words: 'Registry failed' })
  expect(summarizeServices(state({ storage: 'unavailable' })).words).toBe('Storage unavailable')
})
