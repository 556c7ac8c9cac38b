import type { Bench } from './context.ts'
import { median, ratios, show } from './figures.ts'
import type { Clock, Goal, Rate } from './figures.ts'
import { get } from './load.ts'
import type { Load, Order } from './load.ts'
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
  /** Called for each round. */
  work(round: number): Promise<Load>
}

/** What a side is sent in each round. */
type Orders = (round: number) => Omit<Order, 'url' | 'seconds'>

/** A side that is sent requests as fast as it answers them. */
export const loaded = (bench: Bench, running: Running, orderOf: Orders): Side => ({
  running,
  work: (round) => bench.load({ url: running.url, seconds: bench.size.seconds, ...orderOf(round) }),
})

/** A side that is sent each request once, just after a change to the catalog, so that no answer is cached. */
export const uncached = (bench: Bench, running: Running, orderOf: Orders): Side => {
  const { work } = loaded(bench, running, (round) => ({ ...orderOf(round), isRepeated: false }))
  return {
    running,
    work(round) {
      bench.change()
      return work(round)
    },
  }
}

interface Round extends Rate {
  load: Load
}

export async function measure({ running, work }: Side, round: number): Promise<Round> {
  const before = cpuSecondsOf(running.pid)
  const load = await work(round)
  const cpuSeconds = cpuSecondsOf(running.pid) - before
  return { load, perSecond: load.requests / load.seconds, perCpuSecond: load.requests / cpuSeconds }
}

const describe = (rounds: readonly Round[]): string =>
  `${show(median(rounds.map(({ perSecond }) => perSecond)))}/s at ` +
  `${show(1e6 / median(rounds.map(({ perCpuSecond }) => perCpuSecond)))} µs of CPU`

/** Measures two servers alternately; each is first in every other round. The rounds before the first only warm up. */
export async function compare(bench: Bench, ours: Side, peer: Side, clock: Clock = 'cpu') {
  const rounds: { ours: Round; peer: Round }[] = []
  for (let round = 1 - bench.size.warmUps; round <= bench.size.rounds; round += 1) {
    const isFirst = round % 2 === 0
    const first = await measure(isFirst ? ours : peer, round)
    const second = await measure(isFirst ? peer : ours, round)
    if (round > 0) rounds.push(isFirst ? { ours: first, peer: second } : { ours: second, peer: first })
  }
  const own = rounds.map((round) => round.ours)
  const note = `${describe(own)}; peer ${describe(rounds.map((round) => round.peer))}`
  return { values: ratios(rounds, clock), note, rounds: own } satisfies Measured & { rounds: Round[] }
}

/** Paths for which the bare peer holds the bytes; a page of the catalog has 131 KB. */
const samplePaths = 100

/** Compares the answers to GET requests with those of a bare server that sends the same bytes. */
export async function compareWithBare(
  bench: Bench,
  pathsOf: (round: number) => readonly string[],
  loadedWith = loaded,
) {
  const sample = pathsOf(1).slice(0, samplePaths)
  await bench.prepare({ paths: sample })
  const order = (paths: readonly string[]) => ({ requests: paths.map((path) => get(path)) })
  const ours = loadedWith(bench, await bench.server(), (round) => order(pathsOf(round)))
  return compare(
    bench,
    ours,
    loaded(bench, await bench.bare(), () => order(sample)),
  )
}
