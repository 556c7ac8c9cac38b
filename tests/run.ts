import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installCommand, isStrict, type Program } from './support/programs.ts'
import { provideMissingPrograms } from './support/provide-programs.ts'
import { BUDGETS, closingLine, durationLines, findOverspending } from './support/reports.ts'
import { findSuites, runSuites } from './support/suites.ts'

const ROOT = join(import.meta.dirname, '..')

const USAGE = `Usage: npm test [-- FILTER...]
Runs every test, or those of the files whose path contains one of the filters.`

const main = async (filters: string[]): Promise<number> => {
  const option = filters.find((filter) => filter.startsWith('-'))
  if (option !== undefined) {
    // The suites have different options. To use one, run vitest or playwright directly.
    console.error(USAGE)
    return option === '--help' ? 0 : 2
  }
  const hasBrowserTests = existsSync(join(ROOT, 'playwright.config.ts'))
  const needed: Program[] = [
    ...(hasBrowserTests ? (['chromium'] as const) : []),
    'clang',
    'rust',
    'caddy',
    'shells',
    'promtool',
    'completing',
    'manual',
    'skopeo',
    'systemd',
    'wasmtime',
    'versitygw',
    'litestream',
  ]
  const missing = await provideMissingPrograms(needed)
  const total = await runSuites(ROOT, findSuites(ROOT, filters))
  // Only a complete run shows how long each area takes.
  const overspent = filters.length === 0 ? findOverspending(total.seconds, readBudgets()) : []

  console.log('\nSeconds by area, total of all tests (several run at once):')
  for (const line of durationLines(total)) console.log(line)
  console.log()
  for (const remark of [...total.remarks, ...overspent]) console.log(remark)
  if (missing.length > 0) {
    const consequence = isStrict() ? 'failed' : 'were skipped'
    console.log(
      `Tests that need ${missing.join(' and ')} ${consequence}. To run them: ${installCommand(missing)}`,
    )
  }
  const failed = total.failed + overspent.length
  console.log(closingLine({ ...total, failed }))
  return failed > 0 ? 1 : 0
}

const readBudgets = (): Record<string, number> =>
  JSON.parse(readFileSync(join(ROOT, BUDGETS), 'utf8')) as Record<string, number>

process.exitCode = await main(process.argv.slice(2))
