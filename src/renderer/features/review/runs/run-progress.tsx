import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useInspection } from '../module/use-inspection.ts'
import { currentSnapshot } from './runs.ts'
import type { RunsState } from './runs.ts'
import { texts } from '../review.texts.ts'

interface Props {
  release: DeskRelease
  state: RunsState
  /** 0-based; null for custom input. */
  example: number | null
}

/** The progress of a run, shown until it has a verdict. */
export function RunProgressText({ release, state, example }: Props) {
  const late = useDelayed(state.step === 'receiving' || state.step === 'running', 150)
  if (!late) return state.step === 'idle' || state.step === 'failed' ? texts.testRuns.notRun : ''
  if (state.step === 'receiving') return <Receiving release={release} />
  if (state.step === 'running' && state.example === example) return <Running since={state.since} />
  return texts.testRuns.queued
}

function Receiving({ release }: { release: DeskRelease }) {
  const { inspection } = useInspection(release)
  const received = inspection.step === 'receiving' ? inspection.received : 0
  return texts.testRuns.downloading(received, release.size)
}

function Running({ since }: { since: number }) {
  const now = useNow(250)
  const seen = currentSnapshot()
  const seconds = Math.max(0, (now - since) / 1000).toFixed(0)
  const calls = seen?.calls.reduce((sum, { count }) => sum + count, 0) ?? 0
  return texts.testRuns.running(seconds, calls, seen?.peakMemoryBytes ?? 0)
}
