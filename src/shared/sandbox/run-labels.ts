import type { SandboxRun } from './sandbox-run.ts'
import type { RunVerdict } from './verdict.ts'

const labels: Record<RunVerdict, string> = {
  passed: 'passed',
  ended: 'exited',
  differs: 'differs',
  failed: 'exited with',
  trapped: 'trapped',
  'time-limit': 'timed out',
  'memory-limit': 'out of memory',
  'output-limit': 'output over 1 MiB',
  'not-run': 'not run',
}

/** The result of a run with the default limits, such as `passed` or `exited with 2`. */
export const verdictLabel = (verdict: RunVerdict, exitCode: number | null): string =>
  verdict === 'failed' ? `${labels[verdict]} ${exitCode ?? 'unknown'}` : labels[verdict]

/** What went wrong, as a sentence; null if the verdict says everything. */
export function runDetail({ end, detail }: Pick<SandboxRun, 'end' | 'detail'>): string | null {
  if (detail === null) return null
  if (end === 'trapped') return `It trapped: ${detail}`
  return end === 'output-limit' ? `It wrote more than 1 MiB to ${detail}.` : detail
}

/** `0.4 ms`, `12 ms`, `0.4 s`, `10.0 s` */
export function formatRunTime(ms: number): string {
  if (ms >= 100) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}
