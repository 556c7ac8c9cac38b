import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { lateMs, trueUntil, useAgentProject } from '../agent-live.ts'
import { utcWhen } from '../agent-time.ts'
import classes from './stamp.module.css'

/** When the database was written last, and how old what is shown is. */
export function Stamp({ stamp, pausedAt }: { stamp: AgentStamp; pausedAt: number | null }) {
  const now = useNow(1000)
  const { data: project } = useAgentProject()
  const age = Math.max(0, now - trueUntil(stamp, project))
  const late = pausedAt === null && age > lateMs
  const changed =
    stamp.changedAt === null ? 'No change known' : `Last change ${utcWhen(stamp.changedAt, now)} UTC`
  const isOther = pausedAt !== null && project !== undefined && project.changedAt !== stamp.changedAt
  return (
    <span
      className={classes['stamp']}
      data-late={late || undefined}
      data-paused={pausedAt === null ? undefined : ''}
      title={stamp.changedAt ?? undefined}
    >
      <i aria-hidden />
      <span>
        {changed}, read {formatAge(age)} ago
        {late && <b>, late</b>}
        {pausedAt !== null && (isOther ? <b>, paused; there is newer data</b> : <b>, paused</b>)}
      </span>
    </span>
  )
}
