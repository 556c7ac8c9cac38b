import type { RouteSum } from '../../../shared/contracts/desk-agents-tables.ts'
import type { RouteCells, RouteTape } from './route-tape.ts'
import { roundCents } from './spend.ts'
import type { TimeSpan } from './times.ts'

export function eachRoute(
  routes: RouteTape,
  { from, to }: TimeSpan,
  visit: (cells: RouteCells, index: number) => void,
): void {
  for (const { keys, cells } of routes.tape.blocks) {
    for (let index = 0; index < keys.length; index += 1) {
      const at = cells.at[index] ?? Number.NaN
      if (at >= from && at < to) visit(cells, index)
    }
  }
}

/** Routes that are looked at together. */
export class RouteGroup {
  routes = 0
  priced = 0
  cents = 0
  private latencies = new Float64Array(64)
  private known = 0

  add(cells: RouteCells, index: number): void {
    this.routes += 1
    const cents = cells.cents[index] ?? Number.NaN
    if (!Number.isNaN(cents)) {
      this.priced += 1
      this.cents += cents
    }
    const latency = cells.latency[index] ?? Number.NaN
    if (!Number.isNaN(latency)) this.note(latency)
  }

  private note(latency: number): void {
    if (this.known === this.latencies.length) {
      const larger = new Float64Array(this.known * 2)
      larger.set(this.latencies)
      this.latencies = larger
    }
    this.latencies[this.known] = latency
    this.known += 1
  }

  toSum(): RouteSum {
    const latencies = this.latencies.subarray(0, this.known)
    return {
      routes: this.routes,
      cents: this.routes > 0 && this.priced === 0 ? null : roundCents(this.cents),
      p50: nearestRank(latencies, 0.5),
      p95: nearestRank(latencies, 0.95),
    }
  }
}

/** The smallest value that this share of all does not exceed. Puts the values in another order. */
export function nearestRank(values: Float64Array, share: number): number | null {
  if (values.length === 0) return null
  const rank = Math.max(0, Math.ceil(share * values.length) - 1)
  let low = 0
  let high = values.length - 1
  // Only the part with the rank is gone through again: a million values take some ten milliseconds instead of a hundred.
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0
    let left = low
    let right = high
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left += 1
      while ((values[right] ?? 0) > pivot) right -= 1
      if (left <= right) {
        const value = values[left] ?? 0
        values[left] = values[right] ?? 0
        values[right] = value
        left += 1
        right -= 1
      }
    }
    if (rank <= right) high = right
    else if (rank >= left) low = left
    else break
  }
  return values[rank] ?? null
}
