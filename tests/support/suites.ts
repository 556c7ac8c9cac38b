import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStrict } from './programs.ts'
import {
  addTallies,
  countOutcomes,
  readPlaywrightReport,
  readVitestReport,
  type Outcome,
  type Tally,
} from './reports.ts'

/** A test runner that writes a JSON report. */
export interface Suite {
  name: string
  /** Arguments for Node and environment variables that make it write `reportFile`. */
  command: (reportFile: string) => { args: string[]; env: Record<string, string> }
  read: (report: unknown) => Outcome[]
}

/** The suites of a project folder, limited to files that match one of the filters, if any. */
export const findSuites = (root: string, filters: readonly string[]): Suite[] => {
  const bin = (path: string): string => join(root, 'node_modules', path)
  const vitest: Suite = {
    name: 'vitest',
    command: (reportFile) => ({
      args: [
        bin('vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        `--reporter=${join(import.meta.dirname, 'json-report.ts')}`,
        `--outputFile.json=${reportFile}`,
        '--passWithNoTests',
        ...filters,
      ],
      env: {},
    }),
    read: (report) => readVitestReport(report, root),
  }
  const playwright = (name: string, ...args: string[]): Suite => ({
    name,
    command: (reportFile) => ({
      args: [
        bin('@playwright/test/cli.js'),
        'test',
        '--reporter=list,json',
        '--pass-with-no-tests',
        ...args,
        ...filters,
      ],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
    }),
    read: readPlaywrightReport,
  })
  if (!existsSync(join(root, 'playwright.config.ts'))) return [vitest]
  return [
    vitest,
    playwright('playwright', '--grep-invert=@alone'),
    // Tests that measure times run alone, because parallel tests would distort the measurement. They get their own
    // output folder, because Playwright clears the folder at its start.
    playwright('playwright, alone', '--grep=@alone', '--workers=1', '--output=test-results/alone'),
  ]
}

/**
 * Runs the suites one after another with their output on this terminal, and adds up their results. A suite that
 * fails without a failed test counts as one failed test, and so does a run without tests.
 */
export const runSuites = async (root: string, suites: readonly Suite[]): Promise<Tally> => {
  const tallies: Tally[] = []
  for (const suite of suites) {
    // One at a time, because each of them uses all cores.
    tallies.push(await runSuite(root, suite))
  }
  const total = addTallies(tallies)
  return total.passed + total.failed + total.skipped === 0 ? broken('no test was run') : total
}

const runSuite = async (root: string, suite: Suite): Promise<Tally> => {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-report-'))
  try {
    const reportFile = join(folder, 'report.json')
    const ended = await runCommand(root, suite, reportFile)
    const report = await readFile(reportFile, 'utf8').catch(() => null)
    if (report === null) return broken(`${suite.name} ended with ${ended} and wrote no report`)
    const tally = countOutcomes(suite.read(JSON.parse(report)), isStrict())
    if (ended === 'exit code 0' || tally.failed > 0) return tally
    return addTallies([tally, broken(`${suite.name} ended with ${ended} although no test failed`)])
  } catch (error) {
    return broken(`${suite.name} wrote a report that cannot be read: ${String(error)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const broken = (remark: string): Tally => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  remarks: [remark],
  seconds: {},
})

const runCommand = (root: string, suite: Suite, reportFile: string): Promise<string> =>
  new Promise((settle) => {
    const { args, env } = suite.command(reportFile)
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.once('error', (error) => settle(error.message))
    child.once('close', (code, signal) => settle(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
