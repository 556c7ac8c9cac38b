import type { Spend } from '../../../shared/contracts/desk-agents-common.ts'
import { costSeries } from '../../../shared/contracts/desk-agents-cost.ts'
import type { AgentCost, SpendChart, SpendRow } from '../../../shared/contracts/desk-agents-cost.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { forecastSpend, paceFrom, roundCents, wholeDays } from './forecast.ts'
import type { Pace } from './forecast.ts'
import { bucketsOf, dayMs, hourMs, iso } from './times.ts'
import type { TimeSpan } from './times.ts'

// All spending shown in the views is summed up here.

export interface SpendFilter extends TimeSpan {
  /** Only this agent; null for all. */
  agent: string | null
}

/** Total of several calls. Tokens are null if no call reports them. */
interface SpendSum {
  calls: number
  unpriced: number
  cents: number
  tokensIn: number | null
  tokensOut: number | null
}

const noSpend: SpendSum = { calls: 0, unpriced: 0, cents: 0, tokensIn: null, tokensOut: null }

const spendSums = `total(calls) AS calls, total(unpriced) AS unpriced, total(cents) AS cents,
  sum(tokensIn) AS tokensIn, sum(tokensOut) AS tokensOut`

/** The same columns for rows of single calls. */
const oneCall = '1 AS calls, cents IS NULL AS unpriced, cents, tokensIn, tokensOut'

/**
 * SQL for the calls of a period: rows to be summed with `spendSums`, each with the JSON `name` of a model or agent and
 * a `start` exact to `exactMs`.
 */
function spendRows(
  { from, to, agent }: SpendFilter,
  by: 'model' | 'agent',
  exactMs: number,
): { sql: string; values: (string | number)[] } {
  const isWhole = (ms: number): boolean => from % ms === 0 && to % ms === 0 && exactMs % ms === 0
  const values = [from, to, ...(agent === null ? [] : [agent])]
  if (by === 'model' && agent === null && isWhole(hourMs))
    return { sql: 'SELECT * FROM spend_by_model WHERE start >= ? AND start < ?', values }
  if (by === 'agent' && isWhole(dayMs)) {
    const isAgent = agent === null ? '' : ' AND name = json_quote(?)'
    return { sql: `SELECT * FROM spend_by_agent WHERE start >= ? AND start < ?${isAgent}`, values }
  }
  return {
    sql: `SELECT at AS start, json_quote(${by}) AS name, ${oneCall} FROM costs
      WHERE at >= ? AND at < ?${agent === null ? '' : ' AND agent = ?'}`,
    values,
  }
}

export function sumOf(mirror: Mirror, filter: SpendFilter): SpendSum {
  const { sql, values } = spendRows(filter, filter.agent === null ? 'model' : 'agent', dayMs)
  return mirror.get<SpendSum>(`SELECT ${spendSums} FROM (${sql})`, ...values) ?? noSpend
}

/** The amount is unknown if there are calls but none has a price. */
export const toSpend = ({ calls, unpriced, cents }: SpendSum): Spend => ({
  cents: calls > 0 && calls === unpriced ? null : roundCents(cents),
  calls,
  unpriced,
})

export const toSpendRow = (name: string | null, sum: SpendSum): SpendRow => ({
  name,
  spend: toSpend(sum),
  tokensIn: sum.tokensIn,
  tokensOut: sum.tokensOut,
})

/** A database without a table of calls. */
const unknownSpend: Spend = { cents: null, calls: 0, unpriced: 0 }

/** Spending of an agent in a period; null while calls are being copied. */
export function spentBy(mirror: Mirror, agent: string, span: TimeSpan): Spend | null {
  if (!mirror.tables.costs.exists) return unknownSpend
  return mirror.isKnown('costs') ? toSpend(sumOf(mirror, { ...span, agent })) : null
}

/** SQL for the cents of `spentBy`; `agent` is SQL for the name. */
export const centsSpentBy = (agent: string, { from, to }: TimeSpan): string =>
  `(SELECT CASE WHEN total(calls) > 0 AND total(calls) = total(unpriced) THEN NULL ELSE round(total(cents), 6) END
    FROM spend_by_agent WHERE name = json_quote(${agent}) AND start >= ${from} AND start < ${to})`

/** The usual spending per day of one agent or all; null with fewer than two whole days of data. */
export function paceOf(mirror: Mirror, agent: string | null, now: number): Pace | null {
  const first =
    agent === null
      ? mirror.value<number>('SELECT min(start) FROM spend_by_model')
      : mirror.value<number>('SELECT min(at) FROM costs WHERE agent = ?', agent)
  const days = wholeDays(first, now)
  if (days === null) return null
  const { sql, values } = spendRows({ ...days, agent }, 'model', hourMs)
  const hours = mirror.all<{ at: number; cents: number }>(
    `SELECT CAST(start / ${hourMs} AS INTEGER) * ${hourMs} AS at, total(cents) AS cents FROM (${sql}) GROUP BY 1`,
    ...values,
  )
  return paceFrom(hours, days, now)
}

/** Cents an agent spends per day; null with fewer than two whole days of data. */
export function dailyCents(mirror: Mirror, agent: string, now: number): number | null {
  if (!mirror.isKnown('costs')) return null
  const first = mirror.value<number>(
    'SELECT min(start) FROM spend_by_agent WHERE name = json_quote(?)',
    agent,
  )
  const days = wholeDays(first, now)
  return days === null ? null : sumOf(mirror, { ...days, agent }).cents / days.days
}

const nameOf = (json: string): string | null => JSON.parse(json) as string | null

/** The number of rows a table shows. */
const maxGroups = 50

/** Spending per model or agent, highest first; ties are ordered by the number of calls. */
export function groupsOf(mirror: Mirror, filter: SpendFilter, by: 'model' | 'agent'): AgentCost['groups'] {
  const { sql, values } = spendRows(filter, by, dayMs)
  const rows = mirror.all<SpendSum & { json: string; total: number }>(
    `SELECT name AS json, ${spendSums}, count(*) OVER () AS total FROM (${sql}) GROUP BY name
     ORDER BY total(cents) DESC, calls DESC, name LIMIT ${maxGroups}`,
    ...values,
  )
  return { items: rows.map((row) => toSpendRow(nameOf(row.json), row)), total: rows[0]?.total ?? 0 }
}

/**
 * Spending per model or agent in each bucket of a period, oldest first; if only some of them are shown, the others are
 * added up.
 */
export function bucketRows(
  mirror: Mirror,
  filter: SpendFilter,
  by: 'model' | 'agent',
  shown: readonly (string | null)[] | null,
) {
  const { ms, starts } = bucketsOf(filter)
  const { sql, values } = spendRows(filter, by, ms)
  const rows = mirror.all<SpendSum & { place: number; json: string | null }>(
    `SELECT CAST((start - ?) / ${ms} AS INTEGER) AS place, ${spendSums},
       iif(? IS NULL OR name IN (SELECT json_quote(value) FROM json_each(?)), name, NULL) AS json
     FROM (${sql}) GROUP BY place, json ORDER BY place, json`,
    starts[0] ?? 0,
    ...Array.from({ length: 2 }, () => shown && JSON.stringify(shown)),
    ...values,
  )
  return rows.map(({ place, json, ...sum }) => ({
    place,
    name: json === null ? null : nameOf(json),
    others: json === null,
    sum,
  }))
}

interface ChartParts {
  mirror: Mirror
  filter: SpendFilter
  by: 'model' | 'agent'
  groups: AgentCost['groups']
  pace: Pace | null
  now: number
}

const add = (one: SpendSum, other: SpendSum): SpendSum => ({
  calls: one.calls + other.calls,
  unpriced: one.unpriced + other.unpriced,
  cents: one.cents + other.cents,
  tokensIn: null,
  tokensOut: null,
})

export function chartOf({ mirror, filter, by, groups, pace, now }: ChartParts): SpendChart {
  const { bucket, ms, starts } = bucketsOf(filter)
  // A group without any price has no series.
  const shown = groups.items.filter(({ spend }) => spend.cents !== null).slice(0, costSeries)
  const names = shown.map(({ name }) => name)
  const series = names.map((name) => ({ name, others: false }))
  if (groups.total > shown.length) series.push({ name: null, others: true })
  const rows = Map.groupBy(bucketRows(mirror, filter, by, names), ({ place }) => place)
  return {
    by,
    bucket,
    series,
    buckets: starts.map((start, place) => {
      const own = rows.get(place) ?? []
      const left = pace?.between(start, Math.min(start + ms, filter.to)) ?? 0
      return {
        from: iso(start),
        to: iso(start + ms),
        cents: series.map(({ name, others }) => {
          const row = own.find((one) => one.others === others && one.name === name)
          return toSpend(row?.sum ?? noSpend).cents
        }),
        spend: toSpend(own.reduce((all, { sum }) => add(all, sum), noSpend)),
        expectedCents: pace === null || start + ms <= now ? null : roundCents(left),
      }
    }),
    now: now >= filter.from && now < filter.to ? iso(now) : null,
  }
}

/** Spending in a period by model or agent, with its forecast and its chart. */
export function spendIn(
  mirror: Mirror,
  filter: SpendFilter,
  by: 'model' | 'agent',
  pace: Pace | null,
  now: number,
) {
  const sum = sumOf(mirror, filter)
  const spent = toSpend(sum)
  const groups = groupsOf(mirror, filter, by)
  return {
    sum,
    spent,
    expected: forecastSpend(pace, spent, now, filter.to),
    groups,
    chart: chartOf({ mirror, filter, by, groups, pace, now }),
  }
}
