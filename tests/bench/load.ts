import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Requests per second over the given paths, with four connections. Throws if any response is an error. */
export async function requestsPerSecond(
  base: string,
  paths: readonly string[],
  seconds: number,
  scratch: string,
): Promise<number> {
  const script = join(scratch, `paths-${process.pid}.lua`)
  writeFileSync(
    script,
    `local paths = {}\nfor line in io.lines("${script}.txt") do paths[#paths + 1] = line end\nlocal i = 0\n` +
      'request = function()\n  i = i % #paths + 1\n  return wrk.format("GET", paths[i])\nend\n',
  )
  writeFileSync(`${script}.txt`, `${paths.join('\n')}\n`)
  const { stdout } = await run('wrk', ['-t1', '-c4', `-d${seconds}s`, '-s', script, base])
  if (/Non-2xx/.test(stdout)) throw new Error(`Some responses were errors:\n${stdout}`)
  const figure = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]
  if (figure === undefined) throw new Error(`Unexpected output of wrk:\n${stdout}`)
  return Number(figure)
}

/** Milliseconds per path, requested one after another over one connection. */
export async function latencies(base: string, paths: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const path of paths) {
    const start = performance.now()
    const response = await fetch(`${base}${path}`)
    await response.arrayBuffer()
    times.push(performance.now() - start)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  }
  return times
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The list in an order that is determined by the seed. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  let state = seed
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return values
    .map((value) => ({ value, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
}
