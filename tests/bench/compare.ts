import type { Bench } from './context.ts'
import { median, ratios, show } from './figures.ts'
import type { Clock, Goal, Rate } from './figures.ts'
import type { Order } from './load.ts'
import { cpuSecondsOf } from './processes.ts'
import type { Running } from './processes.ts'

/** One value for each round, and absolute values for the reader. */
export interface Measured {
  values: readonly number[]
  note: string
}

/** A group of figures that are measured together. */
export interface Case {
  /** The figures by name, `group/what`. */
  goals: Readonly<Record<string, Goal>>
  /** Takes too long for a short run. */
  isSlow?: boolean
  measure(bench: Bench): Promise<Record<string, Measured>>
}

/** One of the two servers of a comparison. */
export interface Side {
  running: Running
  /** Sends requests; returns their number and the time that they took. Called for each round. */
  work(round: number): Promise<{ requests: number; seconds: number }>
}

/** A side that gets load. */
export const loaded = (
  bench: Bench,
  running: Running,
  order: (round: number) => Omit<Order, 'url' | 'seconds'>,
): Side => ({
  running,
  work: (round) => bench.load({ url: running.url, seconds: bench.size.seconds, ...order(round) }),
})

async function rateOf({ running, work }: Side, round: number): Promise<Rate> {
  const before = cpuSecondsOf(running.pid)
  const { requests, seconds } = await work(round)
  return { perSecond: requests / seconds, perCpuSecond: requests / (cpuSecondsOf(running.pid) - before) }
}

/** Measures two servers alternately; each is first in every other round. The rounds before the first only warm up. */
export async function compare(
  bench: Bench,
  ours: Side,
  peer: Side,
  clock: Clock = 'cpu',
): Promise<Measured & { rates: Rate[] }> {
  const rounds: { ours: Rate; peer: Rate }[] = []
  for (let round = 1 - bench.size.warmUps; round <= bench.size.rounds; round += 1) {
    const isFirst = round % 2 === 0
    const first = await rateOf(isFirst ? ours : peer, round)
    const second = await rateOf(isFirst ? peer : ours, round)
    if (round > 0) rounds.push(isFirst ? { ours: first, peer: second } : { ours: second, peer: first })
  }
  const typical = (rates: readonly Rate[]): string =>
    `${show(median(rates.map(({ perSecond }) => perSecond)))}/s at ` +
    `${show(1e6 / median(rates.map(({ perCpuSecond }) => perCpuSecond)))} µs of CPU`
  const rates = rounds.map((round) => round.ours)
  const note = `${typical(rates)}; peer ${typical(rounds.map((round) => round.peer))}`
  return { values: ratios(rounds, clock), note, rates }
}
