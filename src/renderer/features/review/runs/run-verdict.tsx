import {
  IconAlertTriangle,
  IconBolt,
  IconCheck,
  IconCircleCheckFilled,
  IconCircleOff,
  IconCut,
  IconEqualNot,
  IconHourglass,
  IconStack2,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { verdictLabel } from '../../../../shared/sandbox/run-labels.ts'
import type { RunVerdict } from '../../../../shared/sandbox/verdict.ts'
import classes from './test-runs.module.css'

type Tone = 'ok' | 'warn' | 'bad' | 'calm'

const looks: Record<RunVerdict, { icon: Icon; tone: Tone }> = {
  passed: { icon: IconCircleCheckFilled, tone: 'ok' },
  ended: { icon: IconCheck, tone: 'calm' },
  differs: { icon: IconEqualNot, tone: 'warn' },
  failed: { icon: IconAlertTriangle, tone: 'warn' },
  trapped: { icon: IconBolt, tone: 'bad' },
  'time-limit': { icon: IconHourglass, tone: 'bad' },
  'memory-limit': { icon: IconStack2, tone: 'bad' },
  'output-limit': { icon: IconCut, tone: 'warn' },
  'not-run': { icon: IconCircleOff, tone: 'bad' },
}

/** The verdict of a run as text, icon and color. */
export function RunVerdictMark({ verdict, exitCode }: { verdict: RunVerdict; exitCode: number | null }) {
  const { icon: VerdictIcon, tone } = looks[verdict]
  return (
    <span className={classes['verdict']} data-ink={tone}>
      <VerdictIcon size={14} stroke={1.75} aria-hidden />
      {verdictLabel(verdict, exitCode)}
    </span>
  )
}
