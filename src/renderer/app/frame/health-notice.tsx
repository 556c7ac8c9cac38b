import { IconAlertTriangle, IconCopyCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../components/feedback/notice.tsx'
import { servicesQuery } from '../../features/services/services.api.ts'
import { texts } from '../../features/services/services.texts.ts'
import { formatAgo } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/use-now.ts'
import classes from './notice-strip.module.css'

/** Shown while a health check or the backups fail: what does not work, why, and what to do. */
export function HealthNotice() {
  const { data } = useQuery(servicesQuery)
  if (data === undefined) return null
  const problems = Object.values(data.checks).filter((result) => result !== 'ok')
  const backupProblem = data.backups.problem
  if (problems.length === 0 && backupProblem === null) return null
  return (
    <div className={classes['strip']} role="status">
      {problems.length > 0 && (
        <Notice
          tone="warn"
          icon={IconAlertTriangle}
          title={
            data.checks.databaseWrite === 'ok' ? 'Uploads are paused' : "Changes can't be saved right now"
          }
        >
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      {backupProblem !== null && (
        <Notice tone="warn" icon={IconAlertTriangle} title={texts.backups.attention}>
          <p>{backupProblem}</p>
        </Notice>
      )}
    </div>
  )
}

/** Always shown at a mirror: what it copies, and how old the copy is. Not announced, because the age changes all the time. */
export function MirrorNotice() {
  const { data } = useQuery(servicesQuery)
  const now = useNow(60_000)
  if (data?.mirror == null) return null
  const { of, updatedAt, problem } = data.mirror
  const age = updatedAt === null ? null : formatAgo(updatedAt, now)
  return (
    <div className={classes['strip']}>
      <Notice
        tone={problem === null ? 'note' : 'warn'}
        icon={problem === null ? IconCopyCheck : IconAlertTriangle}
        title={texts.mirror.title(of, age)}
      >
        {problem !== null && <p>{problem}</p>}
      </Notice>
    </div>
  )
}
