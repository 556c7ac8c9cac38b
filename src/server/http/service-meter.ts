import { countedSeconds } from '../../shared/contracts/desk-services.ts'
import { createRouteCounts } from '../operations/route-counts.ts'

export interface ServiceFigures {
  /** Answers in each of the last whole seconds, oldest first. */
  requests: number[]
  requestsLastMinute: number
  /** Median duration in the same 60 seconds, in milliseconds; null without any answer. */
  medianMs: number | null
}

/** The median is taken from at most this many of the latest answers. */
const samples = 1024

/** Counts a service's answers, in a fixed amount of memory. */
export function createServiceMeter(clock = (): number => performance.now()) {
  const size = countedSeconds + 1
  const counts = new Uint32Array(size)
  /** The second to which each count belongs. */
  const seconds = new Float64Array(size).fill(-1)
  const times = new Float64Array(samples)
  const ends = new Float64Array(samples).fill(-Infinity)
  let next = 0

  const countOf = (second: number): number =>
    second >= 0 && seconds[second % size] === second ? (counts[second % size] ?? 0) : 0

  return {
    /** The answers by route, for the metrics. */
    routes: createRouteCounts(),

    count(answers = 1): void {
      const second = Math.floor(clock() / 1000)
      const slot = second % size
      if (seconds[slot] !== second) {
        seconds[slot] = second
        counts[slot] = 0
      }
      counts[slot] = (counts[slot] ?? 0) + answers
    },

    /** Milliseconds that an answer took. */
    time(ms: number): void {
      times[next] = ms
      ends[next] = clock()
      next = (next + 1) % samples
    },

    read(): ServiceFigures {
      const now = Math.floor(clock() / 1000)
      const requests = Array.from({ length: countedSeconds }, (_, at) => countOf(now - countedSeconds + at))
      const recent = times
        .filter((_, at) => {
          const second = Math.floor((ends[at] ?? 0) / 1000)
          return second >= now - 60 && second < now
        })
        .toSorted()
      const middle = recent[Math.floor((recent.length - 1) / 2)]
      return {
        requests,
        requestsLastMinute: requests.slice(-60).reduce((sum, n) => sum + n, 0),
        medianMs: middle === undefined ? null : Math.round(middle * 100) / 100,
      }
    },
  }
}

/** What is counted for each request. */
export type RequestMeter = Omit<ReturnType<typeof createServiceMeter>, 'read'>
