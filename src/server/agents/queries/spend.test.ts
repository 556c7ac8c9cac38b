import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAgentProject } from '../../../../tests/support/agents/agent-project.ts'
import { wrapConnection } from '../agents-database.ts'
import { Mirror } from '../mirror/mirror.ts'
import { bucketRows, chartOf, dailyCents, groupsOf, paceOf, sumOf, toSpend, toSpendRow } from './spend.ts'
import type { SpendFilter } from './spend.ts'
import { bucketsOf, dayMs, hourMs } from './times.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-spend-'))
const now = Date.UTC(2026, 10, 20, 15, 30)
const today = Date.UTC(2026, 10, 20)

interface Call {
  at: number
  agent: string | null
  model: string | null
  cents: number | null
  tokens: number | null
}

/** The same calls in each run: whole seconds of the last twenty days. */
const [calls = []] = fc.sample(
  fc.array(
    fc.record<Call>({
      at: fc.integer({ min: 0, max: 20 * 86_400 }).map((seconds) => today - 19 * dayMs + seconds * 1000),
      agent: fc.constantFrom('a', 'b', 'c "d"', null),
      model: fc.constantFrom('m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'ü', null),
      cents: fc.constantFrom(0.1, 0.2, 3, 1e-5, 0, null),
      tokens: fc.constantFrom(1, 7, null),
    }),
    { minLength: 3000, maxLength: 3000 },
  ),
  { numRuns: 1, seed: 14 },
)

let mirror: Mirror
beforeAll(() => {
  const { file } = makeAgentProject(join(folder, 'project'), {
    fill(database) {
      database.exec(`DROP TABLE cost_events;
        CREATE TABLE cost_events (agent_name, amount_cents, model, tokens_in, tokens_out, created_at)`)
      const insert = database.prepare('INSERT INTO cost_events VALUES (?, ?, ?, ?, NULL, ?)')
      for (const { at, agent, model, cents, tokens } of calls)
        insert.run(agent, cents, model, tokens, new Date(at).toISOString())
    },
  })
  const reader = new Sqlite(file, { readonly: true })
  const database = wrapConnection(reader, file)
  mirror = new Mirror(join(folder, 'mirror.db'), file, '1:1')
  while (!mirror.tables.costs.sync(database, 1, Infinity)) mirror.tables.costs.finish()
  reader.close()
})
afterAll(() => {
  mirror.close()
  rmSync(folder, { recursive: true })
})

const filters = fc
  .record({
    unit: fc.constantFrom(1000, hourMs, dayMs),
    from: fc.nat({ max: 25 * 86_400 }),
    length: fc.integer({ min: 1, max: 25 * 86_400 }),
    agent: fc.constantFrom('a', 'c "d"', 'nobody', null),
  })
  .map(({ unit, from, length, agent }): SpendFilter => {
    const start = Math.floor((today - 22 * dayMs + from * 1000) / unit) * unit
    return { from: start, to: start + Math.ceil((length * 1000) / unit) * unit, agent }
  })
const by = fc.constantFrom('model', 'agent')

/** Sums computed the simple way. */
const naive = (found: readonly Call[]) => ({
  calls: found.length,
  unpriced: found.filter(({ cents }) => cents === null).length,
  cents: found.reduce((sum, { cents }) => sum + (cents ?? 0), 0),
  tokensIn: found.every(({ tokens }) => tokens === null)
    ? null
    : found.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
  tokensOut: null,
})
const within = ({ from, to, agent }: SpendFilter): Call[] =>
  calls.filter((call) => call.at >= from && call.at < to && (agent === null || call.agent === agent))
const close = (value: number) => expect.closeTo(value, 6) as number
const like = (found: readonly Call[]) => {
  const sum = naive(found)
  return { ...sum, cents: close(sum.cents) }
}
const spendLike = (found: readonly Call[]) => {
  const spend = toSpend(naive(found))
  return { ...spend, cents: spend.cents === null ? null : close(spend.cents) }
}

test('the spending of any period, in total or of one agent, is the sum of its calls', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(sumOf(mirror, filter)).toEqual(like(within(filter)))
    }),
  )
})

test('the groups of any period are the sums of their calls, highest spending first', () => {
  fc.assert(
    fc.property(filters, by, (filter, group) => {
      const groups = [...Map.groupBy(within(filter), (call) => call[group])]
      const { items, total } = groupsOf(mirror, filter, group)
      expect(total).toBe(groups.length)
      expect(new Map(items.map((row) => [row.name, row]))).toEqual(
        new Map(
          groups.map(([name, found]) => [
            name,
            { ...toSpendRow(name, naive(found)), spend: spendLike(found) },
          ]),
        ),
      )
      const cents = items.map(({ spend }) => spend.cents ?? 0)
      expect(cents).toEqual(cents.toSorted((one, other) => other - one))
    }),
  )
})

test('the buckets of a chart count each call once, in the series of its group', () => {
  fc.assert(
    fc.property(filters, by, (filter, group) => {
      const { ms, starts } = bucketsOf(filter)
      const found = within(filter)
      const inBucket = (start: number): Call[] => found.filter(({ at }) => at >= start && at < start + ms)
      const groups = groupsOf(mirror, filter, group)
      const chart = chartOf({ mirror, filter, by: group, groups, pace: null, now })
      expect(chart.buckets).toHaveLength(starts.length)
      const named = chart.series.filter(({ others }) => !others).map(({ name }) => name)
      for (const [place, start] of starts.entries()) {
        const bucket = chart.buckets[place]
        const own = inBucket(start)
        expect(bucket?.spend).toEqual(spendLike(own))
        for (const [index, { name, others }] of chart.series.entries()) {
          const ofSeries = own.filter((call) =>
            others ? !named.includes(call[group]) : call[group] === name,
          )
          const { cents } = toSpend(naive(ofSeries))
          expect(bucket?.cents[index]).toEqual(cents === null ? null : close(cents))
        }
      }
      const rows = bucketRows(mirror, filter, group, null)
      expect(rows.reduce((sum, row) => sum + row.sum.calls, 0)).toBe(found.length)
    }),
    { numRuns: 50 },
  )
})

test('a pace is computed from the whole days of the last two weeks', () => {
  const days = within({ from: today - 14 * dayMs, to: today, agent: null })
  expect(paceOf(mirror, null, now)?.days).toBe(14)
  const hours = Array.from({ length: 24 }, (_, hour) =>
    naive(days.filter(({ at }) => Math.floor((at % dayMs) / hourMs) === hour)),
  )
  const left = hours.slice(16).reduce((sum, { cents }) => sum + cents, 0) + (hours[15]?.cents ?? 0) / 2
  expect(paceOf(mirror, null, now)?.between(now, today + dayMs)).toBeCloseTo(left / 14, 6)
  const own = naive(days.filter(({ agent }) => agent === 'a'))
  expect(dailyCents(mirror, 'a', now)).toBeCloseTo(own.cents / 14, 6)
  expect(dailyCents(mirror, 'nobody', now)).toBeNull()
})
