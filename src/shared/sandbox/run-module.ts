import { PREVIEW1_MODULE } from '../wasm/wasi-preview1.ts'
import { createCalls } from './counted-calls.ts'
import { engine } from './engine.ts'
import type { EngineModule } from './engine.ts'
import { GuestMemory } from './guest-memory.ts'
import { prepareModule } from './prepare-module.ts'
import { RunRecorder } from './run-recorder.ts'
import { messageOf, notRun, outcomeOf, truncate } from './run-outcome.ts'
import type { Outcome } from './run-outcome.ts'
import type { RunProgress, SandboxInput, SandboxRun } from './sandbox-run.ts'

const programName = 'skill'

/**
 * Runs a module to its end and blocks until then. It is checked first (`prepareModule`), gets only the functions that it
 * imports, and no access to anything. `onProgress` is called when the module calls a function, so that the progress is
 * known if the run is terminated.
 */
export function runModule(input: SandboxInput, onProgress?: (seen: RunProgress) => void): SandboxRun {
  const prepared = prepareModule(input.bytes, input.limits)
  const recorder = new RunRecorder(input.limits.outputBytes, prepared.ok ? prepared.minMemoryBytes : 0)
  if (!prepared.ok) return report(recorder, notRun(prepared.detail), 0, false)
  const compiled = compile(prepared.bytes)
  if ('detail' in compiled) return report(recorder, notRun(compiled.detail), 0, false)
  const startedAt = performance.now()
  const outcome = execute(compiled.module, prepared.imports, input, recorder, onProgress)
  return report(recorder, outcome, performance.now() - startedAt, prepared.clamped)
}

function report(recorder: RunRecorder, outcome: Outcome, timeMs: number, clamped: boolean): SandboxRun {
  return {
    ...outcome,
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
    return { detail: `The engine rejects it: ${messageOf(error).replace(/^WebAssembly\.Module\(\): /, '')}` }
  }
}

function execute(
  module: EngineModule,
  imports: readonly string[],
  { stdin, args }: SandboxInput,
  recorder: RunRecorder,
  onProgress: (seen: RunProgress) => void = () => {},
): Outcome {
  const startedAt = performance.now()
  const calls = createCalls(imports, recorder, () => onProgress(recorder.progress()))
  try {
    const { exports } = new engine.Instance(module, { [PREVIEW1_MODULE]: calls.functions })
    const { _start: start, memory } = exports
    if (typeof start !== 'function' || !(memory instanceof engine.Memory)) {
      return notRun('It does not export both a function _start and a memory.')
    }
    const guest = new GuestMemory(memory)
    recorder.watch(() => guest.size)
    calls.begin({
      memory: guest,
      recorder,
      stdin,
      read: 0,
      args: [programName, ...args].map((text) => new TextEncoder().encode(text)),
      closed: new Set(),
      startedAt,
    })
    onProgress(recorder.progress())
    start()
    return calls.ended() ?? { end: 'exited', exitCode: 0, detail: null }
  } catch (error) {
    return calls.ended() ?? outcomeOf(error)
  }
}

/**
 * Whether a run may have failed because it ran out of memory. An engine does not report when it denies more memory, so a
 * second run with a higher limit must show it.
 */
export function mayHaveRunOutOfMemory({ clamped, end, exitCode }: SandboxRun): boolean {
  return clamped && (end === 'trapped' || (end === 'exited' && exitCode !== 0))
}

/** The result of the first of two runs, the second of which had a higher limit. */
export function withMemoryVerdict(first: SandboxRun, second: SandboxRun, limit: number): SandboxRun {
  if (second.peakMemoryBytes <= limit) return first
  const then = first.detail === null ? `exited with ${first.exitCode}` : `trapped: ${first.detail}`
  return {
    ...first,
    end: 'memory-limit',
    exitCode: null,
    detail: truncate(`It was denied more memory and ${then}`),
  }
}
