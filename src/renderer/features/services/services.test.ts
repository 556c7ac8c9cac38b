import { expect, test } from 'vitest'
import type { DeskService, DeskServices } from '../../../shared/contracts/desk-services.ts'
import { summarizeServices } from './services.api.ts'

const service = (name: DeskService['name'], change: Partial<DeskService> = {}): DeskService => ({
  name,
  url: 'http://127.0.0.1:4280',
  state: 'running',
  error: null,
  port: 4280,
  startedAt: '2026-11-20T10:00:00.000Z',
  requests: [],
  requestsLastMinute: 0,
  medianMs: null,
  lastError: null,
  ...change,
})

const state = (change: Partial<DeskServices> = {}): DeskServices => ({
  services: [service('registry'), service('dashboard')],
  publicUrl: 'http://127.0.0.1:4280',
  startedAt: '2026-11-20T10:00:00.000Z',
  processId: 1,
  version: '1.0.0',
  nodeVersion: '24.0.0',
  memoryBytes: 1,
  dataFolder: '/data',
  database: 'ok',
  storage: 'ok',
  releases: 0,
  packageBytes: 0,
  freeBytes: null,
  openDesks: 1,
  ...change,
})

test('both running is one sentence; what is not known is unknown', () => {
  expect(summarizeServices(state())).toEqual({ kind: 'running', words: 'Both services running' })
  expect(summarizeServices(undefined)).toEqual({ kind: 'unknown', words: 'Services unknown' })
})

test('trouble is named, the worst first', () => {
  const failed = state({
    services: [service('registry', { state: 'failed', error: 'EADDRINUSE' }), service('dashboard')],
  })
  expect(summarizeServices(failed)).toEqual({ kind: 'failed', words: 'Registry failed' })
  expect(summarizeServices(state({ storage: 'unavailable' })).words).toBe('Storage unavailable')
})
