import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestRank, RouteGroup } from './desk-broker.ts'

const latencies = fc.array(fc.oneof(fc.nat({ max: 20 }), fc.double({ min: 0, max: 1e9, noNaN: true })), {
  maxLength: 60,
})

test('a percentile is the smallest value that the given share of values does not exceed', () => {
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.95), (values, share) => {
      const naive = values
        .filter((value) => values.filter((other) => other <= value).length >= share * values.length)
        .reduce((least, value) => Math.min(least, value), Infinity)
      const found = nearestRank(Float64Array.from(values).toSorted(), share)
      expect(found).toBe(values.length === 0 ? null : naive)
    }),
  )
})

test('sums count routes with a price and routes with a latency separately', () => {
  const parts = fc.record({
    cents: fc.option(fc.nat({ max: 100 })),
    latencyMs: fc.option(fc.nat({ max: 1000 })),
  })
  fc.assert(
    fc.property(fc.array(parts), (routes) => {
      const group = new RouteGroup()
      for (const route of routes) group.add({ at: 0, type: 'llm', handler: null, ...route })
      const priced = routes.flatMap(({ cents }) => cents ?? [])
      const timed = routes.flatMap(({ latencyMs }) => latencyMs ?? []).toSorted((one, other) => one - other)
      const isUnknown = routes.length > 0 && priced.length === 0
      expect(group.toSum()).toEqual({
        routes: routes.length,
        cents: isUnknown ? null : priced.reduce((sum, cents) => sum + cents, 0),
        p50: timed[Math.max(0, Math.ceil(timed.length / 2) - 1)] ?? null,
        p95: timed[Math.max(0, Math.ceil(timed.length * 0.95) - 1)] ?? null,
      })
    }),
  )
})
