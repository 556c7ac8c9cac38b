import type { ServerResponse } from 'node:http'

/** Upper bounds of the latency buckets, in seconds; slower answers go into one more bucket. */
export const bucketSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** The answers of one route. */
export interface RouteCount {
  method: string
  /** With parameters as in `/skills/{name}`. */
  route: string
  /** Numbers of answers by status. */
  statuses: [status: number, answers: number][]
  /** Numbers of timed answers by bucket. Event streams are not timed. */
  buckets: number[]
  /** Seconds that the timed answers took together. */
  seconds: number
}

/** What identifies a route, in the form of the router's endpoints. */
interface CountedRoute {
  method: string
  path: string | RegExp
  /** Its name in metrics, if `path` is an expression. */
  label?: string
}

/** Requests without a route: unknown paths, other methods, and those that are refused before. */
const unmatched: CountedRoute = { method: 'any', path: 'unmatched' }

const answeredBy = Symbol('answered by')
type Answered = ServerResponse & { [answeredBy]?: CountedRoute }

/** Records the route of a request. A property costs less than an entry in a WeakMap. */
export function noteRoute(res: ServerResponse, route: CountedRoute): void {
  ;(res as Answered)[answeredBy] = route
}

interface Counts {
  method: string
  route: string
  statuses: Map<number, number>
  buckets: number[]
  seconds: number
}

/** Counts answers by route and status, with a latency histogram for each route. */
export function createRouteCounts() {
  const byName = new Map<string, Counts>()
  const byRoute = new Map<CountedRoute, Counts>()

  const named = (method: string, route: string): Counts => {
    const name = `${method} ${route}`
    const known = byName.get(name)
    if (known !== undefined) return known
    const buckets = Array.from({ length: bucketSeconds.length + 1 }, () => 0)
    const counts: Counts = { method, route, statuses: new Map(), buckets, seconds: 0 }
    byName.set(name, counts)
    return counts
  }

  const countsOf = (route: CountedRoute): Counts => {
    const known = byRoute.get(route)
    if (known !== undefined) return known
    const counts = named(route.method, route.label ?? String(route.path))
    byRoute.set(route, counts)
    return counts
  }

  const list = (): RouteCount[] =>
    [...byName.values()].map(({ statuses, buckets, ...counts }) => ({
      ...counts,
      statuses: [...statuses],
      buckets: [...buckets],
    }))

  return {
    /** Counts an answer; `ms` is null for one that is not timed. Allocates nothing after a route's first answer. */
    add(res: ServerResponse, ms: number | null): void {
      const counts = countsOf((res as Answered)[answeredBy] ?? unmatched)
      counts.statuses.set(res.statusCode, (counts.statuses.get(res.statusCode) ?? 0) + 1)
      if (ms === null) return
      const seconds = ms / 1000
      let bucket = 0
      while (bucket < bucketSeconds.length && seconds > (bucketSeconds[bucket] ?? Infinity)) bucket += 1
      counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1
      counts.seconds += seconds
    },

    /** Adds the counts of another process. */
    merge(others: readonly RouteCount[]): void {
      for (const { method, route, statuses, buckets, seconds } of others) {
        const counts = named(method, route)
        for (const [status, answers] of statuses) {
          counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + answers)
        }
        for (const [at, answers] of buckets.entries()) {
          counts.buckets[at] = (counts.buckets[at] ?? 0) + answers
        }
        counts.seconds += seconds
      }
    },

    list,
    /** Returns all counts and starts again at zero. */
    take(): RouteCount[] {
      const taken = list()
      byName.clear()
      byRoute.clear()
      return taken
    },
  }
}
