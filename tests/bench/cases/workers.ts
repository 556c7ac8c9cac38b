import { availableParallelism } from 'node:os'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, median, show } from '../figures.ts'
import { get } from '../load.ts'
import { cpuSecondsOfEach } from '../processes.ts'
import { shuffled } from '../seed.ts'

const counts = [1, 2, 4]

/** Connections are shared out among the workers. */
const connections = 16

/** Rounds that are not counted: each of four processes compiles its own code and fills its own caches. */
const warmUps = 4

/** Releases whose metadata, manifests and pages are read. */
const releases = 500

/**
 * Requests per second if nothing but the server used the processor: the busiest process limits it, or the number of
 * cores.
 */
async function capacityOf(bench: Bench, workers: number, round: number): Promise<number> {
  const requests = shuffled(bench.keys, round)
    .slice(0, releases)
    .flatMap(({ name, version }) => {
      const path = `/api/marketplace/skills/${name}/${version}`
      return [path, `${path}/manifest`, `/skills/${name}/${version}`].map((each) => get(each))
    })
  const running = await bench.start(['--workers', String(workers)])
  try {
    const read = () => bench.load({ url: running.url, seconds: bench.size.seconds, requests, connections })
    for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await read()
    const before = cpuSecondsOfEach(running.pid)
    const load = await read()
    const used = [...cpuSecondsOfEach(running.pid)].map(([pid, seconds]) => seconds - (before.get(pid) ?? 0))
    const total = used.reduce((sum, seconds) => sum + seconds, 0)
    return load.requests / Math.max(...used, total / availableParallelism())
  } finally {
    await running.stop()
  }
}

/** The same reads answered by one process, two workers and four. */
export const workerCases: readonly Case[] = [
  {
    goals: { 'workers/2': atLeast(1.7, 'of one'), 'workers/4': { ...atLeast(0, 'of one'), target: null } },
    isSlow: true,
    async measure(bench) {
      await bench.stopServers()
      const rounds: number[][] = []
      for (let round = 1; round <= bench.size.rounds; round += 1) {
        const rates: number[] = []
        // Another number is the first in each round.
        for (let turn = 0; turn < counts.length; turn += 1) {
          const index = (turn + round) % counts.length
          rates[index] = await capacityOf(bench, counts[index] ?? 1, round)
        }
        rounds.push(rates)
      }
      const shown = counts.map((count, index) => {
        const rate = median(rounds.map((rates) => rates[index] ?? 0))
        return `${count}: ${show(rate)}/s`
      })
      const against = (index: number) => ({
        values: rounds.map((rates) => (rates[index] ?? 0) / (rates[0] ?? 0)),
        note: shown.join(', '),
      })
      return { 'workers/2': against(1), 'workers/4': against(2) }
    },
  },
]
