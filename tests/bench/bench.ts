// Compares the built server with smaller ones, alternating in one run. See docs/PERFORMANCE.md.
import { parseArgs } from 'node:util'
import { backgroundCases } from './cases/background.ts'
import { clientCases } from './cases/client.ts'
import { dashboardCases } from './cases/dashboard.ts'
import { deskCases } from './cases/desk.ts'
import { fileCases } from './cases/files.ts'
import { liveAgentCases } from './cases/live-agents.ts'
import { processCases } from './cases/process.ts'
import { publishCases } from './cases/publish.ts'
import { readCases } from './cases/reads.ts'
import { searchCases } from './cases/search.ts'
import { sizeCases } from './cases/sizes.ts'
import { workerCases } from './cases/workers.ts'
import type { Case } from './compare.ts'
import { openBench, sizes } from './context.ts'
import type { Bench } from './context.ts'
import { findWorse, show, summarize, verdict } from './figures.ts'
import type { Figure, Goal, Worse } from './figures.ts'
import { drawProfiles } from './flame-graph.ts'
import { describeRun, readBaselines, record, saveBaseline } from './history.ts'
import type { Entry } from './history.ts'

const usage = `Usage: npm run bench -- [OPTIONS]
  --short          1,000 releases and short rounds, for CI
  --only NAME      only figures whose name starts with NAME; can be repeated
  --rounds N       rounds per figure (default: 5)
  --data FOLDER    keep the seeded data folder there and use it again
  --profile FOLDER write CPU profiles of the server's processes there, and flame graphs of them
  --check          exit with 1 if a ratio is worse than in tests/bench/baseline.json, also when measured again
  --save-baseline  write the ratios of this run to tests/bench/baseline.json`

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string' },
    data: { type: 'string' },
    profile: { type: 'string' },
    check: { type: 'boolean', default: false },
    'save-baseline': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const cases = [
  // First, because the later ones add releases and use the machine.
  ...processCases,
  ...readCases,
  ...searchCases,
  ...fileCases,
  ...publishCases,
  ...backgroundCases,
  ...dashboardCases,
  ...liveAgentCases,
  ...deskCases,
  ...clientCases,
  ...sizeCases,
  ...workerCases,
]

async function main(): Promise<number> {
  const isComplete = options.only.length === 0
  const chosen = cases.filter(({ goals, isSlow = false }) =>
    isComplete ? !(options.short && isSlow) : Object.keys(goals).some(isChosen),
  )
  if (options.help || chosen.length === 0) {
    process.stdout.write(`${usage}\n`)
    return options.help ? 0 : 2
  }
  const size = options.short ? sizes.short : sizes.full
  const bench = openBench({ ...size, rounds: Number(options.rounds ?? size.rounds) }, options)
  const goals = Object.fromEntries(cases.flatMap((one) => Object.entries(one.goals)))
  const baseline = readBaselines()[size.releases]
  let figures: Record<string, Figure> = {}
  let worse: Worse[] = []
  try {
    figures = await measureAll(bench, chosen)
    if (options.check) worse = await check(bench, chosen, goals, figures, baseline)
  } finally {
    await bench.close()
  }
  if (options.profile !== undefined) drawProfiles(options.profile)

  const entry = describeRun(size.releases, figures)
  if (isComplete && options.profile === undefined) record(entry, goals)
  if (options['save-baseline']) {
    saveBaseline({ ...entry, figures: { ...baseline?.figures, ...entry.figures } })
  }
  if (!options.check) return 0
  const lines = worse.map(({ name, change }) => `${name}: ${change}`)
  process.stdout.write(
    lines.length === 0 ? 'No figure is worse than the baseline.\n' : `Worse:\n${lines.join('\n')}\n`,
  )
  return lines.length === 0 ? 0 : 1
}

function isChosen(name: string): boolean {
  return options.only.some((start) => name.startsWith(start))
}

/** Prints each figure as soon as it is measured. */
async function measureAll(bench: Bench, chosen: readonly Case[]): Promise<Record<string, Figure>> {
  const figures: Record<string, Figure> = {}
  for (const { goals, measure } of chosen) {
    for (const [name, { values, note }] of Object.entries(await measure(bench))) {
      const goal = goals[name]
      if (goal === undefined) throw new Error(`${name} has no goal`)
      const figure = summarize(values)
      figures[name] = figure
      print(name, goal, figure, note)
    }
  }
  return figures
}

function print(name: string, goal: Goal, figure: Figure, note: string): void {
  const value = `${show(figure.median)} ± ${show(figure.spread)} ${goal.unit}`
  const target = goal.target === null ? '' : `${goal.better === 'higher' ? '≥' : '≤'} ${show(goal.target)}`
  const columns = [name.padEnd(46), value.padEnd(24), target.padEnd(8), verdict(goal, figure).padEnd(7), note]
  process.stdout.write(`${columns.join(' ').trimEnd()}\n`)
}

/** The figures that are worse than the baseline twice, because another program may have disturbed the first time. */
async function check(
  bench: Bench,
  chosen: readonly Case[],
  goals: Readonly<Record<string, Goal>>,
  figures: Readonly<Record<string, Figure>>,
  baseline: Entry | undefined,
): Promise<Worse[]> {
  if (baseline === undefined) throw new Error(`There is no baseline for ${bench.size.releases} releases`)
  const worseOf = (measured: Readonly<Record<string, Figure>>): Worse[] =>
    findWorse(measured, baseline.figures, goals, bench.size.tolerance)
  const suspects = new Set(worseOf(figures).map(({ name }) => name))
  if (suspects.size === 0) return []
  process.stdout.write(`Measuring again: ${[...suspects].join('; ')}\n`)
  await bench.stopServers()
  const isSuspect = (name: string): boolean => suspects.has(name)
  const again = await measureAll(
    bench,
    chosen.filter((one) => Object.keys(one.goals).some(isSuspect)),
  )
  return worseOf(again).filter(({ name }) => isSuspect(name))
}

process.exitCode = await main()
