import { formatMiB } from '../../../lib/format.ts'
import type { ReleaseRuns } from './runs.ts'
import type { RunLimits } from '../../../../shared/contracts/evidence.ts'
import { texts } from '../review.texts.ts'

export function describeLimits({ timeMs, memoryBytes, outputBytes }: RunLimits): string {
  return texts.testRuns.limits(timeMs / 1000, formatMiB(memoryBytes), formatMiB(outputBytes))
}

/** How many examples passed: `2 of 3`. Null until all have run. */
export function countPassed({
  examples,
}: Pick<ReleaseRuns, 'examples'>): { text: string; tone?: 'warn' } | null {
  if (examples.length === 0 || examples.includes(null)) return null
  const passed = examples.filter((finished) => finished?.verdict === 'passed').length
  return {
    text: texts.testRuns.passed(passed, examples.length),
    ...(passed < examples.length && { tone: 'warn' as const }),
  }
}
