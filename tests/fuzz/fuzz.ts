// Sends changed inputs to the parsers of untrusted bytes, guided by the code that they reach.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { observeCoverage } from './coverage.ts'
import { fuzzTarget } from './fuzz-target.ts'
import type { Problem, Target } from './fuzz-target.ts'
import { targets } from './targets.ts'

const usage = `Usage: npm run fuzz -- [OPTIONS]
  --inputs N     inputs of all parsers together (default: 1000000)
  --seed N       the same seed makes the same inputs (default: the time)
  --only NAME    one parser only
  --save FOLDER  where to write inputs that were read wrongly`

/** How much more memory the second half of a parser's inputs may leave than the first. */
const maxGrowthMiB = 8

/** The disk must not count in the time that a parser takes. */
const memoryDisk = '/dev/shm'

const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    save: { type: 'string' },
    help: { type: 'boolean' },
  },
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const heapMiB = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1_048_576
}

async function main(): Promise<number> {
  const total = Number(options.inputs)
  const seed = Number(options.seed ?? Date.now() % 1_000_000)
  if (!Number.isSafeInteger(total) || total < 1) throw new Error('--inputs must be a whole number from 1')
  if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number')
  const chosen = targets.filter(({ name }) => (options.only ?? name) === name)
  if (chosen.length === 0)
    throw new Error(`--only must be one of: ${targets.map(({ name }) => name).join(', ')}`)
  const folder = mkdtempSync(join(existsSync(memoryDisk) ? memoryDisk : tmpdir(), 'skilldock-fuzz-'))
  // The registry that answers the requests stores its data there too.
  process.env['TMPDIR'] = folder
  const coverage = observeCoverage((url) => url.includes('/src/'))
  const weights = chosen.reduce((sum, { weight }) => sum + weight, 0)
  let inputs = 0
  let problems = 0
  console.log(`seed ${seed}`)
  try {
    for (const { name, weight, create } of chosen) {
      const half = Math.ceil((total * weight) / weights / 2)
      // One after the other, because their time and memory are measured.
      const target = await create(folder)
      const found = await fuzzInHalves(name, target, half, seed)
      await target.close?.()
      inputs += found.inputs
      problems += found.problems.length
      for (const problem of found.problems) report(name, problem)
    }
  } finally {
    coverage.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`${inputs} inputs, ${problems} problems`)
  return problems

  async function fuzzInHalves(name: string, target: Target, half: number, from: number) {
    const begun = performance.now()
    const first = await fuzzTarget(target, half, from, coverage)
    const before = heapMiB()
    const second = await fuzzTarget(target, half, from + 1, coverage)
    const growth = heapMiB() - before
    const both = {
      inputs: first.inputs + second.inputs,
      problems: [...first.problems, ...second.problems],
    }
    if (growth > maxGrowthMiB) {
      both.problems.push({ what: `${growth.toFixed(1)} MiB of memory stay`, input: new Uint8Array() })
    }
    const slowest = Math.max(first.slowestMs, second.slowestMs)
    console.log(
      `${name}: ${both.inputs} inputs in ${((performance.now() - begun) / 1000).toFixed(1)} s, ` +
        `${first.kept + second.kept} reached new code, slowest ${Math.round(slowest)} ms, ${growth.toFixed(1)} MiB kept`,
    )
    return both
  }
}

function report(name: string, { what, input }: Problem): void {
  console.log(`\n${name}: ${what}\n  ${Buffer.from(input).toString('base64').slice(0, 400)}`)
  if (options.save === undefined) return
  mkdirSync(options.save, { recursive: true })
  writeFileSync(join(options.save, `${name.replaceAll(' ', '-')}-${Date.now()}`), input)
}

if (options.help === true) console.log(usage)
else {
  try {
    process.exitCode = (await main()) === 0 ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }
}
