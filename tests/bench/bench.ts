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
import { openBench, sizes } from './context.ts'
import { findWorse, show, summarize, verdict } from './figures.ts'
import type { Figure } from './figures.ts'
import { drawProfiles } from './flame-graph.ts'
import { describeRun, readBaselines, record, saveBaseline } from './history.ts'

const usage = `Usage: npm run bench -- [OPTIONS]
  --short          1,000 releases and short rounds, for CI
  --only NAME      only figures whose name starts with NAME
  --rounds N       rounds per figure (default: 5)
  --data FOLDER    keep the seeded data folder there and use it again
  --profile FOLDER write CPU profiles of the server's processes there, and flame graphs of them
  --check          exit with 1 if a ratio is worse than in tests/bench/baseline.json
  --save-baseline  write the ratios of this run to tests/bench/baseline.json`

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
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
  const chosen = cases.filter(({ goals, isSlow = false }) =>
    options.only === ''
      ? !(options.short && isSlow)
      : Object.keys(goals).some((name) => name.startsWith(options.only)),
  )
  if (options.help || chosen.length === 0) {
    process.stdout.write(`${usage}\n`)
    return options.help ? 0 : 2
  }
  const size = options.short ? sizes.short : sizes.full
  const bench = openBench({ ...size, rounds: Number(options.rounds ?? size.rounds) }, options)
  const goals = Object.fromEntries(chosen.flatMap((one) => Object.entries(one.goals)))
  const figures: Record<string, Figure> = {}
  try {
    for (const { measure } of chosen) {
      for (const [name, { values, note }] of Object.entries(await measure(bench))) {
        const figure = summarize(values)
        figures[name] = figure
        print(name, figure, note)
      }
    }
  } finally {
    await bench.close()
  }
  if (options.profile !== undefined) drawProfiles(options.profile)

  function print(name: string, figure: Figure, note: string): void {
    const goal = goals[name]
    if (goal === undefined) throw new Error(`${name} has no goal`)
    const value = `${show(figure.median)} ± ${show(figure.spread)} ${goal.unit}`
    const target = goal.target === null ? '' : `${goal.better === 'higher' ? '≥' : '≤'} ${show(goal.target)}`
    const columns = [
      name.padEnd(46),
      value.padEnd(24),
      target.padEnd(8),
      verdict(goal, figure).padEnd(7),
      note,
    ]
    process.stdout.write(`${columns.join(' ').trimEnd()}\n`)
  }

  const entry = describeRun(size.releases, figures)
  if (options.only === '' && options.profile === undefined) record(entry, goals)
  const baseline = readBaselines()[size.releases]
  if (options['save-baseline']) {
    saveBaseline({ ...entry, figures: { ...baseline?.figures, ...entry.figures } })
  }
  if (!options.check) return 0
  if (baseline === undefined) throw new Error(`There is no baseline for ${size.releases} releases`)
  const worse = findWorse(figures, baseline.figures, goals)
  process.stdout.write(
    worse.length === 0 ? 'No figure is worse than the baseline.\n' : `Worse:\n${worse.join('\n')}\n`,
  )
  return worse.length === 0 ? 0 : 1
}

process.exitCode = await main()
