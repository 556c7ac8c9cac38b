import type { SandboxRun } from './sandbox-run.ts'
import type { RunVerdict } from './verdict.ts'

const words: Record<RunVerdict, string> = {
  passed: 'passed',
  ended: 'ended',
  differs: 'differs',
  failed: 'ended with',
  trapped: 'trapped',
  'time-limit': 'never ended',
  'memory-limit': 'wanted more memory',
  'output-limit': 'output cut at 1 MiB',
  'not-run': 'not run',
}

/** What became of a run with the limits that runs have by default: `passed`, `ended with 2`. */
export const verdictWords = (verdict: RunVerdict, exitCode: number | null): string =>
  verdict === 'failed' ? `${words[verdict]} ${exitCode ?? 'unknown'}` : words[verdict]

/** What was refused or went wrong, as a sentence; null where the verdict says all. */
export function detailWords({ end, detail }: Pick<SandboxRun, 'end' | 'detail'>): string | null {
  if (detail === null) return null
  if (end === 'trapped') return `It trapped: ${detail}`
  return end === 'output-limit' ? `It wrote more than 1 MiB to ${detail}.` : detail
}

/** `0.4 ms`, `12 ms`, `0.4 s`, `10.0 s` */
export function formatRunTime(ms: number): string {
  if (ms >= 100) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}
