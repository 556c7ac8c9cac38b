import { untilIdle } from '../../support/agents/poll-dashboard.ts'
import type { Case } from '../compare.ts'
import { atMost, median, show } from '../figures.ts'
import { memoryOf, startBuiltServer, startPeer } from '../processes.ts'

/** Starts both servers in turn. */
const starting: Case = {
  goals: {
    'process/first answer': atMost(3, '× peer'),
    'process/idle memory': atMost(1.8, '× peer'),
  },
  async measure(bench) {
    await bench.stopServers()
    const starts = { ours: () => startBuiltServer(bench.folder), peer: () => startPeer('empty.mjs') }
    const ms = { ours: [] as number[], peer: [] as number[] }
    const memory = { ours: [] as number[], peer: [] as number[] }
    // The first round fills the file cache.
    for (let round = 0; round <= bench.size.rounds; round += 1) {
      for (const who of ['peer', 'ours'] as const) {
        const running = await starts[who]()
        await untilIdle(running.pid)
        if (round > 0) {
          ms[who].push(running.startMs)
          memory[who].push(memoryOf(running.pid))
        }
        await running.stop()
      }
    }
    const ratio = ({ ours, peer }: typeof ms, unit: string) => ({
      values: ours.map((value, round) => value / (peer[round] ?? Number.NaN)),
      note: `${show(median(ours))} ${unit}; peer ${show(median(peer))} ${unit}`,
    })
    return { 'process/first answer': ratio(ms, 'ms'), 'process/idle memory': ratio(memory, 'MiB') }
  },
}

export const processCases: readonly Case[] = [starting]
