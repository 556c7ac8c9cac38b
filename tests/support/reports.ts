import { relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { ALLOWED_SKIPS } from './programs.ts'

/** The result of one test, from either runner. */
export interface Outcome {
  /** The file and the full title. */
  name: string
  status: 'passed' | 'failed' | 'skipped'
  /** The reason for a skip, if the runner reports it. */
  reason: string
  /** The first line of its first error, if the report has it. */
  message: string
  /** The file with forward slashes; empty if the report names none. */
  file: string
  /** The total duration of all attempts in milliseconds. */
  ms: number
}

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** One line for each failed test and forbidden skip. */
  remarks: string[]
  /** Total seconds of the tests in each area. */
  seconds: Record<string, number>
}

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
          duration: z.number().nullish(),
        }),
      ),
    }),
  ),
  unhandledErrors: z.array(
    z.object({ message: z.string(), file: z.string().optional(), test: z.string().optional() }),
  ),
})

const LONGEST_LINE = 300

/** The first line that is not empty, without terminal colors. */
const firstLine = (message = ''): string =>
  stripVTControlCharacters(message).trim().split('\n', 1)[0]?.slice(0, LONGEST_LINE) ?? ''

/** The outcomes of the report that `json-report.ts` wrote in the folder `root`. Throws if it is not a report. */
export const readVitestReport = (report: unknown, root: string): Outcome[] => {
  const { testResults, unhandledErrors } = vitestReport.parse(report)
  const path = (file: string): string => relative(root, file).replaceAll(sep, '/')
  const ofTests = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path(name)
    const outcomes = assertionResults.map((test): Outcome => ({
      name: [file, ...test.ancestorTitles, test.title].join(' > '),
      // The report keeps the failures of earlier attempts. A test must pass at the first one.
      status: test.failureMessages.length > 0 ? 'failed' : vitestStatus(test.status),
      reason: '',
      message: firstLine(test.failureMessages[0]),
      file,
      ms: test.duration ?? 0,
    }))
    // A file that could not be loaded, or whose hook failed, has no failed test.
    if (status === 'failed' && outcomes.every((outcome) => outcome.status !== 'failed')) {
      outcomes.push({
        name: file,
        status: 'failed',
        reason: '',
        message: firstLine(message),
        file,
        ms: 0,
      })
    }
    return outcomes
  })
  const unhandled = unhandledErrors.map(({ message, file = '', test = '' }): Outcome => ({
    // vitest names the test that ran last, which may not be the one that caused the error.
    name: `uncaught error during or after ${[path(file), test].filter(Boolean).join(' > ')}`,
    status: 'failed',
    reason: '',
    message: firstLine(message),
    file: '',
    ms: 0,
  }))
  return [...ofTests, ...unhandled]
}

const vitestStatus = (status: string): Outcome['status'] => {
  if (status === 'passed') return 'passed'
  // `todo` and `pending` tests did not run either.
  return ['skipped', 'todo', 'pending', 'disabled'].includes(status) ? 'skipped' : 'failed'
}

const playwrightSpec = z.object({
  title: z.string(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })),
      results: z.array(
        z.object({
          error: z.object({ message: z.string().optional() }).optional(),
          duration: z.number().default(0),
        }),
      ),
    }),
  ),
})

const playwrightSuite = z.object({
  title: z.string(),
  specs: z.array(playwrightSpec),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
})

type PlaywrightSuite = z.infer<typeof playwrightSuite>

const playwrightReport = z.object({
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional() })),
})

/** The outcomes in Playwright's JSON report, separately for each project. Throws if it is not a report. */
export const readPlaywrightReport = (report: unknown): Outcome[] => {
  const { suites, errors } = playwrightReport.parse(report)
  const broken = errors.map(({ message }): Outcome => ({
    name: 'an error outside the tests',
    status: 'failed',
    reason: '',
    message: firstLine(message),
    file: '',
    ms: 0,
  }))
  return [...suites.flatMap((suite) => readPlaywrightSuite(suite, [])), ...broken]
}

const readPlaywrightSuite = (suite: PlaywrightSuite, parents: string[]): Outcome[] => {
  const path = [...parents, suite.title]
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, status, annotations, results }): Outcome => ({
      name: [projectName, ...path, title].join(' > '),
      status: PLAYWRIGHT_STATUS[status],
      reason: annotations.map(({ description }) => description ?? '').join(' '),
      message: firstLine(results[0]?.error?.message),
      file: path[0] ?? '',
      ms: sum(results.map(({ duration }) => duration)),
    })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((child) => readPlaywrightSuite(child, path))]
}

const PLAYWRIGHT_STATUS = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'failed',
  skipped: 'skipped',
} as const

/** Counts outcomes. In strict mode a skipped test counts as failed, unless its reason is one of ALLOWED_SKIPS. */
export const countOutcomes = (outcomes: readonly Outcome[], strict: boolean): Tally => {
  const skipped = outcomes.filter(({ status }) => status === 'skipped')
  const forbidden = strict ? skipped.filter((outcome) => !isAllowedSkip(outcome)) : []
  const failed = outcomes.filter(({ status }) => status === 'failed')
  return {
    passed: outcomes.filter(({ status }) => status === 'passed').length,
    failed: failed.length + forbidden.length,
    skipped: skipped.length - forbidden.length,
    remarks: [
      ...forbidden.map(({ name }) => `skipped (counts as failed): ${name}`),
      ...failed.slice(0, NAMED_FAILURES).map((outcome) => `failed: ${describe(outcome)}`),
      ...(failed.length > NAMED_FAILURES ? [`failed: ${failed.length - NAMED_FAILURES} more`] : []),
    ],
    seconds: sumByArea(outcomes),
  }
}

/** Adds up durations by area: the first two folders of a file, such as `tests/registry`. */
const sumByArea = (outcomes: readonly Outcome[]): Record<string, number> => {
  const seconds: Record<string, number> = {}
  for (const { file, ms } of outcomes) {
    const area = file.split('/').slice(0, -1).slice(0, 2).join('/')
    if (area !== '') seconds[area] = (seconds[area] ?? 0) + ms / 1000
  }
  return seconds
}

/** The maximum number of failed tests listed per suite; more would hide the rest of the output. */
const NAMED_FAILURES = 40

const describe = ({ name, message }: Outcome): string => (message === '' ? name : `${name}: ${message}`)

const isAllowedSkip = ({ name, reason }: Outcome): boolean =>
  Object.values(ALLOWED_SKIPS).some((allowed) => name.includes(allowed) || reason.includes(allowed))

export const addTallies = (tallies: readonly Tally[]): Tally => ({
  passed: sum(tallies.map(({ passed }) => passed)),
  failed: sum(tallies.map(({ failed }) => failed)),
  skipped: sum(tallies.map(({ skipped }) => skipped)),
  remarks: tallies.flatMap(({ remarks }) => remarks),
  seconds: addSeconds(tallies.map(({ seconds }) => seconds)),
})

const addSeconds = (all: readonly Record<string, number>[]): Record<string, number> => {
  const total: Record<string, number> = {}
  for (const [area, seconds] of all.flatMap((one) => Object.entries(one))) {
    total[area] = (total[area] ?? 0) + seconds
  }
  return total
}

/** Lines such as `tests/registry   412 s`, longest first. */
export const durationLines = ({ seconds }: Tally): string[] => {
  const areas = Object.entries(seconds).toSorted(([, a], [, b]) => b - a)
  const width = Math.max(...areas.map(([area]) => area.length))
  return areas.map(([area, took]) => `${area.padEnd(width)} ${Math.round(took).toString().padStart(6)} s`)
}

/** Smaller areas vary too much for a budget: between two runs of the same tests, by up to 1.7 times. Larger ones by 1.3. */
const SMALLEST_BUDGET_SECONDS = 100

/** The limit of an area as a multiple of its budget, relative to the other areas of the same run. */
const MAX_BUDGET_RATIO = 1.5

/**
 * Returns one line for each area of a complete run that takes half more than its budget or has no budget. Budgets are
 * seconds on an idle machine. They are scaled by the median slowdown of all areas, so that a slow or busy machine does
 * not fail.
 */
export const findOverspending = (
  seconds: Readonly<Record<string, number>>,
  budgets: Readonly<Record<string, number>>,
): string[] => {
  const areas = Object.entries(seconds).filter(
    ([area, took]) => Math.max(took, budgets[area] ?? 0) >= SMALLEST_BUDGET_SECONDS,
  )
  const pace = median(
    areas.flatMap(([area, took]) => (budgets[area] === undefined ? [] : [took / budgets[area]])),
  )
  return areas.flatMap(([area, took]) => {
    const budget = budgets[area]
    if (budget === undefined) return [`${area} took ${Math.round(took)} s and has no budget in ${BUDGETS}`]
    const allowed = Math.max(budget, SMALLEST_BUDGET_SECONDS) * pace * MAX_BUDGET_RATIO
    if (took <= allowed) return []
    return [
      `${area} took ${Math.round(took)} s; at the pace of this run its limit is ${Math.round(allowed)} s. Speed up its tests, or raise its budget in ${BUDGETS}`,
    ]
  })
}

/** Seconds per area, from a complete run on an idle machine with two cores. */
export const BUDGETS = 'tests/budgets.json'

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 1

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** `8 passed, 0 failed`, followed by `, 2 skipped` if there are any. */
export const closingLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
