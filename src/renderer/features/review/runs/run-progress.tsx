import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { formatBytes, formatCount, formatMiB, plural } from '../../../lib/format.ts'
import { useLate } from '../../../lib/time/use-late.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useInspection } from '../module/inspection.ts'
import { seenSoFar } from './runs.ts'
import type { RunsState } from './runs.ts'

interface Props {
  release: DeskRelease
  state: RunsState
  /** Counts from 0; null is an input of one's own. */
  example: number | null
}

/** What stands in the place of a verdict: how far it is. */
export function RunProgressText({ release, state, example }: Props) {
  const late = useLate(state.step === 'receiving' || state.step === 'running', 150)
  if (!late) return state.step === 'idle' || state.step === 'failed' ? 'not run yet' : ''
  if (state.step === 'receiving') return <Receiving release={release} />
  if (state.step === 'running' && state.example === example) return <Running since={state.since} />
  return 'waits for the one before'
}

function Receiving({ release }: { release: DeskRelease }) {
  const { inspection } = useInspection(release)
  const received = inspection.step === 'receiving' ? inspection.received : 0
  return `receiving the module, ${formatCount(received)} of ${formatBytes(release.size)}`
}

function Running({ since }: { since: number }) {
  const now = useNow(250)
  const seen = seenSoFar()
  const seconds = Math.max(0, (now - since) / 1000).toFixed(0)
  const calls = seen?.calls.reduce((sum, { count }) => sum + count, 0) ?? 0
  return `running for ${seconds} s, ${plural(calls, 'call')}, ${formatMiB(seen?.peakMemoryBytes ?? 0)}`
}
