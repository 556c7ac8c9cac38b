import type { RunLimits } from '../../shared/contracts/evidence.ts'
import { withMemoryVerdict, mayHaveRunOutOfMemory } from '../../shared/sandbox/run-module.ts'
import type { RunSnapshot, SandboxRun } from '../../shared/sandbox/sandbox-run.ts'
import { askChild } from './ask-child.ts'
import { runResultSchema, runSnapshotSchema } from './answers.ts'
import { texts } from './child.texts.ts'

interface RunRequest {
  module: Uint8Array<ArrayBuffer>
  stdin: Uint8Array
  args: readonly string[]
  limits: RunLimits
  signal: AbortSignal
  /** Path of this program. */
  program: string
  /** Receives output as it is written. */
  onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void
}

/** The maximum of WebAssembly: 65,536 pages. */
const maxMemoryBytes = 4_294_967_296

/** Runs a module in its own process. Runs it a second time if only that shows whether it ran out of memory. */
export async function runInChild(request: RunRequest): Promise<SandboxRun> {
  const first = await runOnce(request)
  const { memoryBytes } = request.limits
  if (!mayHaveRunOutOfMemory(first) || memoryBytes === maxMemoryBytes) return first
  const limits = { ...request.limits, memoryBytes: Math.min(memoryBytes * 2, maxMemoryBytes) }
  const second = await runOnce({ ...request, limits, onOutput: () => {} })
  return withMemoryVerdict(first, second, memoryBytes)
}

async function runOnce({
  module,
  stdin,
  args,
  limits,
  signal,
  program,
  onOutput,
}: RunRequest): Promise<SandboxRun> {
  const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  let last: RunSnapshot = emptySnapshot
  let written = 0
  const { timeMs, memoryBytes, outputBytes } = limits
  const job = { kind: 'run', args, limits: { memoryBytes, outputBytes } } as const
  const end = await askChild(
    { job, module, stdin },
    {
      schema: runResultSchema,
      timeMs,
      signal,
      program,
      onFrame(kind, bytes) {
        if (kind === 'progress') last = runSnapshotSchema.parse(JSON.parse(bytes.toString('utf8')))
        if (kind !== 'stdout' && kind !== 'stderr') return
        written += bytes.length
        if (written > outputBytes * 2) throw new Error(texts.tooMuchData)
        output[kind].push(bytes)
        onOutput?.(kind, bytes)
      },
    },
  )
  const streams = { stdout: joined(output.stdout), stderr: joined(output.stderr) }
  if (end.kind === 'answer') return { ...end.answer, ...streams }
  const interrupted = { ...last, ...streams, exitCode: null, clamped: false }
  return end.kind === 'time-limit'
    ? { ...interrupted, end: 'time-limit', detail: null, timeMs }
    : { ...interrupted, end: 'not-run', detail: end.reason, timeMs: 0 }
}

const emptySnapshot: RunSnapshot = {
  calls: [],
  paths: [],
  peakMemoryBytes: 0,
  stdoutBytes: 0,
  stderrBytes: 0,
}

const joined = (parts: readonly Buffer[]): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(parts))
