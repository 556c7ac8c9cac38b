import type { RunEnd } from '../contracts/evidence.ts'
import { PREVIEW1_MODULE } from '../wasm/wasi-preview1.ts'
import { engine } from './engine.ts'
import type { EngineModule } from './engine.ts'
import { errno } from './errno.ts'
import { GuestMemory, MemoryFault } from './guest-memory.ts'
import { prepareModule } from './prepare-module.ts'
import { ExitSignal, OutputLimit, preview1 } from './preview1.ts'
import type { Preview1State } from './preview1-state.ts'
import { RunRecorder } from './run-recorder.ts'
import type { RunProgress, SandboxOrder, SandboxRun } from './sandbox-run.ts'

const programName = 'skill'
/** The first calls are told one by one, for a loop without calls may follow any of them. */
const toldOneByOne = 64
const tellEveryMs = 100
const detailCharacters = 300

interface Outcome {
  end: RunEnd
  exitCode: number | null
  detail: string | null
}

/**
 * Runs a module to its end, blocking. It is looked at first (`prepareModule`), gets only what it imports, and is
 * granted nothing. `onProgress` hears of a run that goes on, whenever it calls something: whoever ends the
 * worker has the last of that.
 */
export function runModule(order: SandboxOrder, onProgress?: (seen: RunProgress) => void): SandboxRun {
  const prepared = prepareModule(order.bytes, order.limits)
  const recorder = new RunRecorder(order.limits.outputBytes, prepared.ok ? prepared.minMemoryBytes : 0)
  if (!prepared.ok) return report(recorder, notRun(prepared.detail), 0, false)
  const compiled = compile(prepared.bytes)
  if ('detail' in compiled) return report(recorder, notRun(compiled.detail), 0, false)
  const startedAt = performance.now()
  const outcome = execute(compiled.module, prepared.imports, order, recorder, startedAt, onProgress)
  return report(recorder, outcome, performance.now() - startedAt, prepared.clamped)
}

const notRun = (detail: string): Outcome => ({ end: 'not-run', exitCode: null, detail })

function report(recorder: RunRecorder, outcome: Outcome, timeMs: number, clamped: boolean): SandboxRun {
  return {
    ...outcome,
    detail: outcome.detail?.slice(0, detailCharacters) ?? null,
    ...recorder.snapshot(),
    stdout: recorder.stdout.all(),
    stderr: recorder.stderr.all(),
    timeMs,
    clamped,
  }
}

function compile(bytes: Uint8Array<ArrayBuffer>): { module: EngineModule } | { detail: string } {
  try {
    return { module: new engine.Module(bytes) }
  } catch (error) {
    return { detail: `The engine refuses it: ${messageOf(error)}` }
  }
}

function execute(
  module: EngineModule,
  imports: readonly string[],
  { stdin, args }: SandboxOrder,
  recorder: RunRecorder,
  startedAt: number,
  onProgress?: (seen: RunProgress) => void,
): Outcome {
  const encoder = new TextEncoder()
  let state: Preview1State | null = null
  // Kept, because a module can catch what its imports throw.
  let last: Outcome | null = null
  let told = 0
  let toldAt = startedAt
  const tell = (): void => {
    if (told >= toldOneByOne && performance.now() - toldAt < tellEveryMs) return
    told += 1
    toldAt = performance.now()
    onProgress?.(recorder.progress())
  }
  const wrap =
    (name: string) =>
    (...parameters: (number | bigint)[]): number => {
      const call = recorder.called(name)
      try {
        if (last !== null) throw new Error('The run is over')
        if (state === null)
          throw new Error(`${name} was called by the start function, before there is a memory`)
        const answer = preview1[name]?.(state, ...parameters.map(withoutSign)) ?? errno.notsup
        if (answer !== errno.success) call.refused += 1
        return answer
      } catch (error) {
        if (error instanceof MemoryFault) {
          call.refused += 1
          return errno.fault
        }
        last ??= outcomeOf(error)
        throw error
      } finally {
        tell()
      }
    }
  try {
    const functions = Object.fromEntries(imports.map((name) => [name, wrap(name)]))
    const { exports } = new engine.Instance(module, { [PREVIEW1_MODULE]: functions })
    const { _start: start, memory } = exports
    if (typeof start !== 'function' || !(memory instanceof engine.Memory)) {
      return notRun('It exports no function _start or no memory.')
    }
    const guest = new GuestMemory(memory)
    recorder.watch(() => guest.size)
    state = {
      memory: guest,
      recorder,
      stdin,
      read: 0,
      args: [programName, ...args].map((text) => encoder.encode(text)),
      closed: new Set(),
      startedAt,
    }
    tell()
    start()
    return last ?? { end: 'exited', exitCode: 0, detail: null }
  } catch (error) {
    return last ?? outcomeOf(error)
  }
}

const withoutSign = (parameter: number | bigint): number | bigint =>
  typeof parameter === 'bigint' ? BigInt.asUintN(64, parameter) : parameter >>> 0

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ExitSignal) return { end: 'exited', exitCode: error.code, detail: null }
  if (error instanceof OutputLimit) return { end: 'output-limit', exitCode: null, detail: error.message }
  // Neither is a doing of the program: what it wants is not here.
  if (error instanceof engine.LinkError) return notRun(messageOf(error))
  const detail = isStackOverflow(error) ? 'call stack exhausted' : messageOf(error)
  return { end: 'trapped', exitCode: null, detail }
}

const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/.test(error.message)

const messageOf = (error: unknown): string => {
  if (error instanceof Error) return error.message
  return error instanceof engine.Exception ? 'an exception that nobody caught' : 'an unknown cause'
}

/**
 * Whether a run ended as one does that was refused memory: then a second one with a higher limit tells whether
 * that was so, for an engine does not say when it refuses to grow a memory.
 */
export function mayHaveWantedMemory({ clamped, end, exitCode }: SandboxRun): boolean {
  return clamped && (end === 'trapped' || (end === 'exited' && exitCode !== 0))
}

/** The verdict on the first of two runs, of which the second had a higher limit. */
export function afterSecondLook(first: SandboxRun, second: SandboxRun, limit: number): SandboxRun {
  if (second.peakMemoryBytes <= limit) return first
  const then = first.detail === null ? `ended with ${first.exitCode}` : `trapped: ${first.detail}`
  return { ...first, end: 'memory-limit', exitCode: null, detail: `Refused more memory, it ${then}` }
}
