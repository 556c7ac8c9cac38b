import { costSeries } from '../../../shared/contracts/desk-agents-cost.ts'
import type { SpendChart } from '../../../shared/contracts/desk-agents-cost.ts'
import type { CostTape } from './cost-tape.ts'
import { SpendSum, eachCost, roundCents } from './spend.ts'
import type { Pace, SpendFilter } from './spend.ts'
import { bucketsOf, iso } from './times.ts'

export interface SpendGroup {
  code: number
  name: string | null
  sum: SpendSum
}

/** What each model or agent has cost, most first; among those that cost the same, most calls first. */
export function groupsOf(costs: CostTape, filter: SpendFilter, by: 'model' | 'agent'): SpendGroup[] {
  const sums = new Map<number, SpendSum>()
  eachCost(costs, filter, (cells, index) => {
    const code = cells[by][index] ?? 0
    let sum = sums.get(code)
    if (sum === undefined) {
      sum = new SpendSum()
      sums.set(code, sum)
    }
    sum.add(cells, index)
  })
  const words = by === 'model' ? costs.models : costs.agents
  return [...sums]
    .map(([code, sum]) => ({ code, name: words.textOf(code), sum }))
    .toSorted(
      (one, other) =>
        other.sum.known - one.sum.known ||
        other.sum.calls - one.sum.calls ||
        (one.name ?? '').localeCompare(other.name ?? ''),
    )
}

export interface ChartParts {
  costs: CostTape
  filter: SpendFilter
  by: 'model' | 'agent'
  groups: readonly SpendGroup[]
  pace: Pace | null
  now: number
}

export function chartOf({ costs, filter, by, groups, pace, now }: ChartParts): SpendChart {
  const { bucket, ms, starts } = bucketsOf(filter)
  // One without any price has no bar of its own.
  const shown = groups.filter(({ sum }) => sum.toSpend().cents !== null).slice(0, costSeries)
  const hasOthers = groups.length > shown.length
  const seriesOf = new Map(shown.map(({ code }, index) => [code, index]))
  const width = shown.length + Number(hasOthers)

  const sums = starts.map(() => new SpendSum())
  const perSeries = starts.map(() => Array.from({ length: width }, () => new SpendSum()))
  const first = starts[0] ?? 0
  eachCost(costs, filter, (cells, index) => {
    const place = Math.floor(((cells.at[index] ?? 0) - first) / ms)
    sums[place]?.add(cells, index)
    perSeries[place]?.[seriesOf.get(cells[by][index] ?? 0) ?? shown.length]?.add(cells, index)
  })
  return {
    by,
    bucket,
    series: [
      ...shown.map(({ name }) => ({ name, others: false })),
      ...(hasOthers ? [{ name: null, others: true }] : []),
    ],
    buckets: starts.map((start, place) => ({
      from: iso(start),
      to: iso(start + ms),
      cents: (perSeries[place] ?? []).map((sum) => sum.toSpend().cents),
      spend: (sums[place] ?? new SpendSum()).toSpend(),
      expectedCents:
        pace === null || start + ms <= now
          ? null
          : roundCents(pace.between(start, Math.min(start + ms, filter.to))),
    })),
    now: now >= filter.from && now < filter.to ? iso(now) : null,
  }
}
