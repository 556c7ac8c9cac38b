import type { RunEnd, RunLimits } from '../contracts/evidence.ts'

/** The input of a run. The time limit is enforced by the owner of the worker, because nothing else can stop a loop. */
export interface SandboxInput {
  bytes: Uint8Array<ArrayBuffer>
  stdin: Uint8Array
  /** Without the program's own name. */
  args: readonly string[]
  limits: Pick<RunLimits, 'memoryBytes' | 'outputBytes'>
}

/** How many times a function of preview 1 was called, and how many times it returned an error. */
export interface CallCount {
  name: string
  count: number
  refused: number
}

/** The state of a run so far. */
export interface RunSnapshot {
  /** In the order in which they were first called. */
  calls: CallCount[]
  /** The first 20 paths that it tried to access. No file ever exists. */
  paths: { name: string; path: string }[]
  peakMemoryBytes: number
  stdoutBytes: number
  stderrBytes: number
}

/** Reported during a run, with the output since the last report. */
export interface RunProgress extends RunSnapshot {
  moreStdout: Uint8Array<ArrayBuffer>
  moreStderr: Uint8Array<ArrayBuffer>
}

/** The result of a run. */
export interface SandboxRun extends RunSnapshot {
  end: RunEnd
  exitCode: number | null
  /** The message of a trap, details of a memory or output limit that was reached, or why it was not run. */
  detail: string | null
  /** Up to the output limit. */
  stdout: Uint8Array<ArrayBuffer>
  stderr: Uint8Array<ArrayBuffer>
  /** From instantiation to the end, without compilation. */
  timeMs: number
  /** Whether the maximum of its memory was lowered to the limit. */
  clamped: boolean
}
