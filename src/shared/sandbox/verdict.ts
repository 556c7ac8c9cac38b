import type { SandboxRun } from './sandbox-run.ts'

/** The verdict on a run. `ended` is for custom input, which has no expected output. */
export type RunVerdict =
  | 'passed'
  | 'ended'
  | 'differs'
  | 'failed'
  | 'trapped'
  | 'time-limit'
  | 'memory-limit'
  | 'output-limit'
  | 'not-run'

/** `declared` is the output in the manifest, or null. `passed` has the same meaning as in the server. */
export function verdictOf(
  run: Pick<SandboxRun, 'end' | 'exitCode' | 'stdout'>,
  declared: string | null,
): RunVerdict {
  if (run.end !== 'exited') return run.end
  if (declared === null) return run.exitCode === 0 ? 'ended' : 'failed'
  if (!isText(run.stdout, declared)) return 'differs'
  return run.exitCode === 0 ? 'passed' : 'failed'
}

function isText(bytes: Uint8Array, text: string): boolean {
  const expected = new TextEncoder().encode(text)
  return bytes.length === expected.length && expected.every((byte, index) => byte === bytes[index])
}
