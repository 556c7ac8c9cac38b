import { Button } from '@mantine/core'
import { IconDatabaseOff, IconHourglass } from '@tabler/icons-react'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useRetryProject } from '../agents.api.ts'
import classes from './project-trouble.module.css'

const titles = {
  missing: 'The project’s database is not there',
  busy: 'Another program holds the project’s database',
  unreadable: 'The project’s database cannot be read',
}

/** Above every view while the project cannot be read: what happened and what to do. */
export function ProjectTrouble({
  project,
  error,
  retry,
}: {
  project: AgentProject | undefined
  error: unknown
  retry: () => void
}) {
  if (error !== null && project === undefined) {
    return (
      <div className={classes['trouble']}>
        <Failure error={error} what="The agent project cannot be read" retry={retry} />
      </div>
    )
  }
  if (project === undefined || project.state === 'ready' || project.state === 'none') return null
  const { state, sentence } = project
  return (
    <div className={classes['trouble']}>
      <Notice
        tone={state === 'unreadable' ? 'bad' : 'warn'}
        icon={state === 'busy' ? IconHourglass : IconDatabaseOff}
        title={titles[state]}
        role="status"
        {...(state === 'unreadable' ? { actions: <RetryButton /> } : {})}
      >
        <p>{sentence}</p>
      </Notice>
    </div>
  )
}

/** Has the database opened again, also where that failed too often to be tried unasked. */
function RetryButton() {
  const retry = useRetryProject()
  return (
    <Button size="sm" loading={retry.isPending} onClick={() => retry.mutate()}>
      Try again
    </Button>
  )
}
