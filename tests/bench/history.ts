// Keeps the results of complete runs, and draws them into docs/PERFORMANCE.md.
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { show, verdict } from './figures.ts'
import type { Figure, Goal } from './figures.ts'

export interface Entry {
  at: string
  commit: string
  /** The number of seeded releases. */
  releases: number
  machine: { cpu: string; cores: number }
  versions: { node: string; v8: string }
  figures: Record<string, Figure>
}

const root = join(import.meta.dirname, '../..')
const historyFile = join(import.meta.dirname, 'history.jsonl')
const baselineFile = join(import.meta.dirname, 'baseline.json')
const document = join(root, 'docs/PERFORMANCE.md')

/** Rounded, so that the files stay small. */
const rounded = ({ median, spread }: Figure): Figure => ({
  median: Number(median.toPrecision(3)),
  spread: Number(spread.toPrecision(2)),
})

export function describeRun(releases: number, figures: Readonly<Record<string, Figure>>): Entry {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', 'src', 'package-lock.json') !== ''
  return {
    at: new Date().toISOString(),
    commit: `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`,
    releases,
    machine: { cpu: cpus()[0]?.model ?? '', cores: availableParallelism() },
    versions: { node: process.versions.node, v8: process.versions.v8 },
    figures: Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, rounded(figure)])),
  }
}

/** Baselines by the number of releases, because a short run has other ratios than a full one. */
export const readBaselines = (): Record<string, Entry> =>
  existsSync(baselineFile) ? (JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, Entry>) : {}

export function saveBaseline(entry: Entry): void {
  const baselines = { ...readBaselines(), [entry.releases]: entry }
  writeFileSync(baselineFile, `${JSON.stringify(baselines, null, 2)}\n`)
}

/** Appends a run to the history, and draws it into the document. */
export function record(entry: Entry, goals: Readonly<Record<string, Goal>>): void {
  appendFileSync(historyFile, `${JSON.stringify(entry)}\n`)
  const entries = readFileSync(historyFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
  writeFileSync(document, replaceTable(readFileSync(document, 'utf8'), drawTable(entries, goals)))
}

const [start, end] = ['<!-- results -->', '<!-- end of results -->']

export function replaceTable(text: string, table: string): string {
  const [before, rest] = text.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The document has no ${start}`)
  return `${before}${start}\n\n${table}\n${end}${after}`
}

const bars = [...'▁▂▃▄▅▆▇█']
/** Runs in the plot. */
const plotted = 24

/** A bar for each value, relative to the largest; a space for each missing one. */
export function plot(values: readonly (number | undefined)[]): string {
  const largest = Math.max(...values.map((value) => value ?? 0))
  return values
    .map((value) =>
      value === undefined
        ? ' '
        : (bars[Math.round((Math.max(value, 0) / largest) * (bars.length - 1))] ?? '▁'),
    )
    .join('')
}

/** The newest run with the most releases, and a plot of all runs of that size, oldest first. */
export function drawTable(entries: readonly Entry[], goals: Readonly<Record<string, Goal>>): string {
  const releases = Math.max(...entries.map((entry) => entry.releases))
  const runs = entries.filter((entry) => entry.releases === releases).slice(-plotted)
  const newest = runs.at(-1)
  if (newest === undefined) return ''
  const { machine, versions } = newest
  const rows = Object.entries(newest.figures).map(([name, figure]) => {
    const goal = goals[name]
    if (goal === undefined) return `| ${name} | ${show(figure.median)} | | | |`
    const target = goal.target === null ? '' : `${goal.better === 'higher' ? '≥' : '≤'} ${show(goal.target)}`
    const trend = plot(runs.map((run) => run.figures[name]?.median))
    const value = `${show(figure.median)} ± ${show(figure.spread)} ${goal.unit}`
    return `| ${name} | ${value} | ${target} | ${verdict(goal, figure)} | \`${trend}\` |`
  })
  return [
    `${releases.toLocaleString('en')} releases, commit ${newest.commit}, ${newest.at.slice(0, 10)}, ` +
      `${machine.cpu} (${machine.cores} cores), Node ${versions.node}. The last column has a bar for each run.`,
    '',
    '| Case | Figure | Target | | Runs |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
