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
import type { RunVerdict } from '../sandbox/verdict.ts'
import classes from './did.module.css'

type Tone = 'ok' | 'warn' | 'bad' | 'plain'

const words: Record<RunVerdict, { icon: Icon; text: string; tone: Tone }> = {
  passed: { icon: IconCircleCheckFilled, text: 'passed', tone: 'ok' },
  ended: { icon: IconCheck, text: 'ended', tone: 'plain' },
  differs: { icon: IconEqualNot, text: 'differs', tone: 'warn' },
  failed: { icon: IconAlertTriangle, text: 'ended with', tone: 'warn' },
  trapped: { icon: IconBolt, text: 'trapped', tone: 'bad' },
  'time-limit': { icon: IconHourglass, text: 'never ended', tone: 'bad' },
  'memory-limit': { icon: IconStack2, text: 'wanted more memory', tone: 'bad' },
  'output-limit': { icon: IconCut, text: 'output cut at 1 MiB', tone: 'warn' },
  'not-run': { icon: IconCircleOff, text: 'not run', tone: 'bad' },
}

/** What became of a run: the word, its shape, then its colour. */
export function RunVerdictMark({ verdict, exitCode }: { verdict: RunVerdict; exitCode: number | null }) {
  const { icon: VerdictIcon, text, tone } = words[verdict]
  return (
    <span className={classes['verdict']} data-tone={tone}>
      <VerdictIcon size={14} stroke={1.75} aria-hidden />
      {verdict === 'failed' ? `${text} ${exitCode ?? 'unknown'}` : text}
    </span>
  )
}
