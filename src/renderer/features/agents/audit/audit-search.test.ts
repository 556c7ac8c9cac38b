import { describe, expect, test, vi } from 'vitest'
import type { AuditPage, AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { createAuditSearch, searchedPart } from './audit-search.ts'
import type { AuditFound, AuditSearch } from './audit-search.ts'

const row = (id: number): AuditRow => ({
  id,
  at: null,
  lamport: id,
  agent: 'alpha',
  event: 'agent.step',
  detail: null,
  hash: null,
  computed: null,
  verified: true,
  mismatch: null,
  gap: null,
})

const page = (ids: readonly number[], older: number | null): AuditPage => ({
  stamp: {
    state: 'ready',
    sentence: null,
    revision: '1',
    changedAt: null,
    readAt: '2026-11-22T10:00:00.000Z',
    missingTables: [],
    counting: null,
  },
  items: ids.map(row),
  older,
  newer: null,
  top: 1000,
  total: null,
  above: null,
  fresh: null,
  summary: {
    total: 1000,
    today: 0,
    checked: 1000,
    mismatches: 0,
    missing: 0,
    gaps: 0,
    checkedAt: null,
    firstId: 1,
    lastId: 1000,
  },
})

const reaches = (search: AuditSearch, state: AuditFound['state']): Promise<AuditFound> =>
  vi.waitFor(() => {
    expect(search.found.get().state).toBe(state)
    return search.found.get()
  })

describe('a search through the audit', () => {
  test('goes on part by part, also through empty ones, until there are enough rows', async () => {
    const read = vi
      .fn()
      .mockResolvedValueOnce(page([], 800))
      .mockResolvedValueOnce(page([700, 650], 600))
      .mockResolvedValueOnce(page([10], null))
    const search = createAuditSearch(read, 2)
    search.want(2)
    const found = await reaches(search, 'resting')
    expect(found.rows.map(({ id }) => id)).toEqual([700, 650])
    expect(read.mock.calls.map(([place]: unknown[]) => place)).toEqual([{}, { before: 800, top: 1000 }])
    expect(searchedPart(found)).toBeCloseTo(0.401, 3)

    search.want(3)
    const all = await reaches(search, 'done')
    expect(all.rows.map(({ id }) => id)).toEqual([700, 650, 10])
    expect(searchedPart(all)).toBe(1)
  })

  test('is cancelled in the middle of a part, keeps what it has found, and goes on when asked', async () => {
    const signals: AbortSignal[] = []
    const read = vi.fn((place: { before?: number }, signal: AbortSignal) => {
      signals.push(signal)
      if (place.before === undefined) return Promise.resolve(page([900], 800))
      if (signals.length > 2) return Promise.resolve(page([5], null))
      return new Promise<AuditPage>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    })
    const search = createAuditSearch(read, 200)
    search.want(200)
    await vi.waitFor(() => expect(signals).toHaveLength(2))
    search.cancel()
    expect(signals[1]?.aborted).toBe(true)
    search.want(400)
    expect(search.found.get()).toMatchObject({ state: 'cancelled', at: 800 })
    expect(search.found.get().rows).toHaveLength(1)
    search.goOn()
    expect((await reaches(search, 'done')).rows.map(({ id }) => id)).toEqual([900, 5])
  })

  test('says what has gone wrong and goes on from there', async () => {
    const read = vi
      .fn()
      .mockResolvedValueOnce(page([900], 800))
      .mockRejectedValueOnce(new Error('away'))
      .mockResolvedValueOnce(page([700], null))
    const search = createAuditSearch(read, 200)
    search.want(200)
    expect((await reaches(search, 'failed')).error).toEqual(new Error('away'))
    search.goOn()
    expect((await reaches(search, 'done')).rows.map(({ id }) => id)).toEqual([900, 700])
  })
})
