// Pure functions on measured values. A figure is the median of several rounds with its spread.

export type Unit =
  | 'of peer'
  | '× peer'
  | 'of quiet'
  | 'of first'
  | 'of fastest'
  | 'of one'
  | '/s'
  | 'ms'
  | 'kB'
  | 'MiB'
  | '%'

/** What a figure means and should reach. A figure with a null target is only compared with the baseline. */
export interface Goal {
  unit: Unit
  better: 'higher' | 'lower'
  target: number | null
}

export const atLeast = (target: number, unit: Unit = 'of peer'): Goal => ({ unit, better: 'higher', target })
export const atMost = (target: number, unit: Unit): Goal => ({ unit, better: 'lower', target })
export const untargeted: Goal = { unit: 'of peer', better: 'higher', target: null }

export interface Figure {
  median: number
  /** The distance between the first and the third quartile. */
  spread: number
}

/** The value below which `share` of all values are, interpolated. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const summarize = (values: readonly number[]): Figure => ({
  median: median(values),
  spread: quantile(values, 0.75) - quantile(values, 0.25),
})

/** Requests per second of elapsed time, and per second of the processor time of the server's processes. */
export interface Rate {
  perSecond: number
  perCpuSecond: number
}

/**
 * What limits a server: the processor, or waiting for a disk or a connection. Processor time does not depend on other
 * programs or on how fast the load generator is, so it is used wherever nothing waits.
 */
export type Clock = 'cpu' | 'elapsed'

/** The ratio of two servers in each round. */
export const ratios = (rounds: readonly { ours: Rate; peer: Rate }[], clock: Clock): number[] =>
  rounds.map(({ ours, peer }) =>
    clock === 'cpu' ? ours.perCpuSecond / peer.perCpuSecond : ours.perSecond / peer.perSecond,
  )

export type Verdict = 'met' | 'missed' | ''

export function verdict({ better, target }: Goal, { median: value }: Figure): Verdict {
  if (target === null) return ''
  return (better === 'higher' ? value >= target : value <= target) ? 'met' : 'missed'
}

/** Units that depend on the machine too much to be compared with those of an earlier run. */
const absolute: readonly Unit[] = ['/s', 'ms', '%']
/** MiB by which memory may always vary. */
const memoryTolerance = 10

export interface Worse {
  name: string
  /** The values, in one line. */
  change: string
}

/** The figures that are worse than the baseline by more than the spread of both and this share of it. */
export function findWorse(
  figures: Readonly<Record<string, Figure>>,
  baseline: Readonly<Record<string, Figure>>,
  goals: Readonly<Record<string, Goal>>,
  tolerance: number,
): Worse[] {
  return Object.entries(figures).flatMap(([name, figure]) => {
    const before = baseline[name]
    const goal = goals[name]
    if (before === undefined || goal === undefined || absolute.includes(goal.unit)) return []
    const loss = (before.median - figure.median) * (goal.better === 'higher' ? 1 : -1)
    const minimum = goal.unit === 'MiB' ? memoryTolerance : before.median * tolerance
    const allowed = Math.max(minimum, before.spread + figure.spread)
    // NaN counts as worse.
    if (loss <= allowed) return []
    const change = `${show(figure.median)} ${goal.unit}, baseline ${show(before.median)}, tolerance ${show(allowed)}`
    return [{ name, change }]
  })
}

/** A number with about three digits. */
export function show(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(size >= 10 ? 1 : size < 0.1 && size > 0 ? 3 : 2)
}
