import { join } from 'node:path'
import { loaded, measure, uncached } from '../compare.ts'
import type { Case } from '../compare.ts'
import { openBench } from '../context.ts'
import type { Bench } from '../context.ts'
import { atLeast, median, show } from '../figures.ts'
import { get } from '../load.ts'
import { shuffled } from '../seed.ts'
import { reads } from './reads.ts'
import type { Reads } from './reads.ts'
import { searches } from './search.ts'

/** Releases in each catalog. */
const counts = [1000, 10_000, 100_000, 1_000_000]

/** Uncached requests in a measurement. A small catalog has fewer addresses, so that it is changed and read again. */
const minimumRequests = 4000

const compared: Record<string, Omit<Reads, 'goal'>> = {
  ...reads,
  ...Object.fromEntries(
    Object.entries(searches).map(([kind, listPaths]) => [
      `search/${kind}`,
      { pathsOf: (bench: Bench, round: number) => shuffled(listPaths(bench), round), isCached: false },
    ]),
  ),
}

/** Requests per second of processor time. */
async function rateOf(bench: Bench, { pathsOf, isCached }: Omit<Reads, 'goal'>, round: number) {
  const requests = pathsOf(bench, round)
    .slice(0, minimumRequests)
    .map((path) => get(path))
  const side = (isCached ? loaded : uncached)(bench, await bench.server(), () => ({ requests }))
  const enough = isCached ? 0 : minimumRequests
  let [answered, cpuSeconds] = [0, 0]
  do {
    const { load, perCpuSecond } = await measure(side, round)
    answered += load.requests
    cpuSeconds += load.requests / perCpuSecond
  } while (answered < enough)
  return answered / cpuSeconds
}

/** The same reads of catalogs of different sizes, in turn: the slowest against the fastest. */
export const sizeCases: readonly Case[] = [
  {
    goals: Object.fromEntries(
      Object.keys(compared).map((name) => [`sizes/${name}`, atLeast(0.8, 'of fastest')]),
    ),
    isSlow: true,
    async measure(bench) {
      const benches = counts.map((releases) =>
        releases === bench.size.releases
          ? bench
          : openBench(
              { ...bench.size, releases, names: releases / 5 },
              { data: join(bench.folder, `${releases} releases`) },
            ),
      )
      const figures: Awaited<ReturnType<Case['measure']>> = {}
      try {
        for (const [name, kind] of Object.entries(compared)) {
          const rounds: number[][] = []
          for (let round = 1 - bench.size.warmUps; round <= bench.size.rounds; round += 1) {
            const rates: number[] = []
            // Another size is the first in each round.
            for (let turn = 0; turn < benches.length; turn += 1) {
              const index = (turn + round + benches.length) % benches.length
              rates[index] = await rateOf(benches[index] as Bench, kind, round)
            }
            if (round > 0) rounds.push(rates)
          }
          const microseconds = benches.map(
            (_, index) => 1e6 / median(rounds.map((rates) => rates[index] ?? 0)),
          )
          figures[`sizes/${name}`] = {
            values: rounds.map((rates) => Math.min(...rates) / Math.max(...rates)),
            note: `µs of CPU at ${counts.map((count, index) => `${count.toLocaleString('en')}: ${show(microseconds[index] ?? 0)}`).join(', ')}`,
          }
        }
      } finally {
        for (const opened of benches) if (opened !== bench) await opened.close()
      }
      return figures
    },
  },
]
