import type { RunLimits } from '../../../../shared/contracts/evidence.ts'
import { withMemoryVerdict, mayHaveRunOutOfMemory } from '../../../../shared/sandbox/run-module.ts'
import type {
  RunProgress,
  RunSnapshot,
  SandboxInput,
  SandboxRun,
} from '../../../../shared/sandbox/sandbox-run.ts'
import { createFrame } from '../../../lib/sandboxed-frame.ts'
import type { FrameAnswer } from '../../../lib/sandboxed-frame.ts'

interface RunRequest {
  file: Blob
  stdin: string
  args: readonly string[]
  limits: RunLimits
  signal: AbortSignal
  onProgress: (seen: RunSnapshot) => void
}

type RunAnswer = { kind: 'ran'; run: SandboxRun } | { kind: 'canceled' } | { kind: 'failed'; reason: string }

const frame = createFrame('run')

/** Runs a module in the sandbox frame. A second run with twice the memory tells whether the first one ran out of it. */
export async function runInFrame(request: RunRequest): Promise<RunAnswer> {
  const first = await runOnce(request)
  if (first.kind !== 'ran' || !mayHaveRunOutOfMemory(first.run)) return first
  const { memoryBytes } = request.limits
  const second = await runOnce({ ...request, limits: { ...request.limits, memoryBytes: memoryBytes * 2 } })
  if (second.kind !== 'ran') return second.kind === 'canceled' ? second : first
  return { kind: 'ran', run: withMemoryVerdict(first.run, second.run, memoryBytes) }
}

async function runOnce({ file, stdin, args, limits, signal, onProgress }: RunRequest): Promise<RunAnswer> {
  const stdout: Uint8Array<ArrayBuffer>[] = []
  const stderr: Uint8Array<ArrayBuffer>[] = []
  let last: RunSnapshot = nothingSeen
  const { memoryBytes, outputBytes } = limits
  const bytes = new Uint8Array(await file.arrayBuffer())
  const input: SandboxInput = {
    bytes,
    stdin: new TextEncoder().encode(stdin),
    args,
    limits: { memoryBytes, outputBytes },
  }
  const answer: FrameAnswer<SandboxRun> = await frame.ask<SandboxRun, RunProgress>(input, {
    transfer: [bytes.buffer],
    timeLimitMs: limits.timeMs,
    signal,
    onProgress({ moreStdout, moreStderr, ...seen }) {
      stdout.push(moreStdout)
      stderr.push(moreStderr)
      last = seen
      onProgress(seen)
    },
  })
  if (answer.kind === 'answer') return { kind: 'ran', run: answer.message }
  if (answer.kind === 'failed') return { kind: 'failed', reason: answer.detail }
  if (answer.kind === 'canceled') return { kind: 'canceled' }
  const run: SandboxRun = {
    ...last,
    end: 'time-limit',
    exitCode: null,
    detail: null,
    stdout: await joined(stdout),
    stderr: await joined(stderr),
    timeMs: limits.timeMs,
    clamped: false,
  }
  return { kind: 'ran', run }
}

const nothingSeen: RunSnapshot = { calls: [], paths: [], peakMemoryBytes: 0, stdoutBytes: 0, stderrBytes: 0 }

const joined = async (parts: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Blob(parts).arrayBuffer())
