import { formatMiB } from '../../../lib/format.ts'
import type { ReleaseRuns } from './runs.ts'
import type { RunLimits } from '../../../../shared/contracts/evidence.ts'

export function describeLimits({ timeMs, memoryBytes, outputBytes }: RunLimits): string {
  return `sandbox without network, at most ${timeMs / 1000} s, ${formatMiB(memoryBytes)}, ${formatMiB(outputBytes)} out`
}

/** How many examples passed, for the strip: `2 of 3`. Null before all have run. */
export function countPassed({
  examples,
}: Pick<ReleaseRuns, 'examples'>): { text: string; tone?: 'warn' } | null {
  if (examples.length === 0 || examples.includes(null)) return null
  const passed = examples.filter((finished) => finished?.verdict === 'passed').length
  return {
    text: `${passed} of ${examples.length}`,
    ...(passed < examples.length && { tone: 'warn' as const }),
  }
}
