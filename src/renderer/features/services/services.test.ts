import { expect, test } from 'vitest'
import type { DeskService, DeskServices } from '../../../shared/contracts/desk-services.ts'
import { summarizeServices } from './services.api.ts'

const service = (name: DeskService['name'], change: Partial<DeskService> = {}): DeskService => ({
  name,
  url: 'http://127.0.0.1:4280',
  state: 'running',
  error: null,
  port: 4280,
  portTaken: false,
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
  publicAnswer: null,
  behindProxy: false,
  workspace: null,
  undoMs: 10_000,
  startedAt: '2026-11-20T10:00:00.000Z',
  processId: 1,
  version: '1.0.0',
  nodeVersion: '24.0.0',
  memoryBytes: 1,
  dataFolder: '/data',
  checks: { databaseWrite: 'ok', storageWrite: 'ok', freeSpace: 'ok', helperProcesses: 'ok' },
  logProblem: null,
  database: 'ok',
  storage: 'ok',
  releases: 0,
  packageBytes: 0,
  freeBytes: null,
  walBytes: 0,
  fragmentation: 0,
  backups: {
    every: 'daily',
    keep: 7,
    folder: '/data/backups',
    phase: 'idle',
    lastTested: null,
    problem: null,
  },
  mirror: null,
  replication: null,
  openDesks: 1,
  deskPeople: [],
  ...change,
})

test('two running services have one common status, and a missing status is unknown', () => {
  expect(summarizeServices(state())).toEqual([{ kind: 'running', label: 'Both services running' }])
  expect(summarizeServices(undefined)).toEqual([{ kind: 'unknown', label: 'Service status unknown' }])
})

test('problems come last, and a port in use is named as the reason', () => {
  const failed = (portTaken: boolean) =>
    state({
      services: [
        service('registry', { state: 'failed', error: 'EADDRINUSE', portTaken }),
        service('dashboard'),
      ],
    })
  expect(summarizeServices(failed(true))).toEqual([
    { kind: 'running', label: 'Local services running' },
    { kind: 'taken', label: 'Registry: port in use' },
  ])
  expect(summarizeServices(failed(false)).at(-1)).toEqual({ kind: 'failed', label: 'Registry failed' })
  expect(summarizeServices(state({ storage: 'unavailable' }))).toEqual([
    { kind: 'failed', label: 'Storage unavailable' },
  ])
  const { checks } = state()
  expect(summarizeServices(state({ checks: { ...checks, freeSpace: 'Only 3 MiB are free.' } }))).toEqual([
    { kind: 'failed', label: 'Disk almost full' },
  ])
  expect(summarizeServices(state({ logProblem: 'transparency log: it has 2 entries' }))).toEqual([
    { kind: 'failed', label: 'Transparency log changed' },
  ])
})
