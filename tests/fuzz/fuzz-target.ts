import { createRandom } from '../chaos/random.ts'
import type { Coverage } from './coverage.ts'
import { mutate } from './mutate.ts'
import type { Bytes } from './mutate.ts'

/** A parser of untrusted bytes. */
export interface Target {
  seeds: readonly Bytes[]
  /** Words of the format in Latin-1, one character per byte; random bytes would hardly ever form them. */
  words: readonly string[]
  /**
   * How many inputs run between two looks at the coverage, which takes some milliseconds; with new code, some of them
   * run again.
   */
  batchSize: number
  /** Reads the bytes. Throws if the parser breaks a promise; its own refusals are caught. */
  read(bytes: Bytes): void | Promise<void>
  close?(): Promise<void> | void
}

export interface Findings {
  inputs: number
  /** Inputs that reached code for the first time, in addition to the seeds. */
  kept: number
  slowestMs: number
  /** At most `maxProblems`. */
  problems: Problem[]
}

export interface Problem {
  what: string
  input: Bytes
}

export const ascii = (text: string): Bytes => new Uint8Array(Buffer.from(text))
export const textOf = (bytes: Bytes): string => Buffer.from(bytes).toString()

export function assert(holds: boolean, promise: string): void {
  if (!holds) throw new Error(promise)
}

/** Passes on every error except the one with which the parser refuses an input. */
export function refusing<T>(refusal: new (...args: never[]) => Error, read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof refusal) return null
    throw error
  }
}

/** An input that takes longer is reported. */
const maxMs = 2000
const maxProblems = 5

/** Sends changed inputs to a parser. Inputs that reach new code are changed further. */
export async function fuzzTarget(
  target: Target,
  inputs: number,
  seed: number,
  coverage: Coverage,
): Promise<Findings> {
  const random = createRandom(seed)
  const known = [...target.seeds]
  const findings: Findings = { inputs: 0, kept: 0, slowestMs: 0, problems: [] }
  const pick = (): Bytes => known[random.integer(0, known.length - 1)] ?? new Uint8Array()

  /** Reads an input and notes a problem, also of a seed or when it is read again for the coverage. */
  const read = async (input: Bytes): Promise<void> => {
    const begun = performance.now()
    let what: string | null = null
    try {
      await target.read(input)
    } catch (error) {
      what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    const took = performance.now() - begun
    findings.slowestMs = Math.max(findings.slowestMs, took)
    what ??= took > maxMs ? `took ${Math.round(took)} ms` : null
    const { problems } = findings
    if (what === null || problems.length === maxProblems || problems.some((one) => one.input === input))
      return
    problems.push({ what, input })
  }
  const readAll = async (batch: readonly Bytes[]): Promise<void> => {
    // One after the other, because their time is measured.
    for (const input of batch) await read(input)
  }
  /** Halves a batch that reached new code until the inputs that did are found. */
  const keepNew = async (batch: readonly Bytes[]): Promise<void> => {
    const [first] = batch
    if (batch.length === 1 && first !== undefined) {
      await readAll(batch)
      // Not if the code runs only once, whatever the input.
      if (coverage.rememberNew()) {
        known.push(first)
        findings.kept += 1
      }
      return
    }
    const middle = Math.ceil(batch.length / 2)
    const [one, other] = [batch.slice(0, middle), batch.slice(middle)]
    await readAll(one)
    const isInFirst = coverage.hasNew()
    if (isInFirst) await keepNew(one)
    await readAll(other)
    // If the first half did not reach it, the other one did, and a look at the coverage takes some milliseconds.
    if (!isInFirst || coverage.hasNew()) await keepNew(other)
  }

  await readAll(known)
  coverage.rememberNew()
  while (findings.inputs < inputs && findings.problems.length < maxProblems) {
    const batch: Bytes[] = []
    for (let left = Math.min(target.batchSize, inputs - findings.inputs); left > 0; left -= 1) {
      const input = mutate(random, pick(), pick(), target.words)
      batch.push(input)
      await read(input)
    }
    findings.inputs += batch.length
    if (coverage.hasNew()) await keepNew(batch)
  }
  return findings
}
