import { Button } from '@mantine/core'
import { IconDatabaseOff, IconFolderOpen, IconHourglass } from '@tabler/icons-react'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { useRetryProject } from '../agents.api.ts'
import { ProjectChoice } from './project-choice.tsx'
import classes from './project.module.css'

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

/** Has the database opened again, even after too many failures to try unasked. */
function RetryButton() {
  const retry = useRetryProject()
  return (
    <Button size="sm" loading={retry.isPending} onClick={() => retry.mutate()}>
      Try again
    </Button>
  )
}

/** In every view until a project is chosen: the first step. */
export function NoProject({ project }: { project: AgentProject }) {
  return (
    <div className={classes['none']}>
      <EmptyState icon={IconFolderOpen} title="No agent project is chosen">
        <p>
          Choose the folder of one; it is only read. Without one at hand, this line writes one to look at:
        </p>
      </EmptyState>
      <FirstStep folder="DIR" />
      <ProjectChoice project={project} />
    </div>
  )
}

/** The same while its folder holds no database: nothing is known, which is not the same as nothing being wrong. */
export function NoDatabase({ folder }: { folder: string }) {
  return (
    <div className={classes['none']}>
      <EmptyState icon={IconDatabaseOff} title="Nothing is known of this project’s agents">
        <p>
          Their runtime writes data/nexus.db into the project’s folder. Without a runtime at hand, this line
          writes agents to look at:
        </p>
      </EmptyState>
      <FirstStep folder={folder} />
    </div>
  )
}

function FirstStep({ folder }: { folder: string }) {
  const line = `skilldock demo --agents ${/^[\w./@:+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`
  return (
    <div className={classes['line']}>
      <code>{line}</code>
      <CopyIcon text={line} what="the line" />
    </div>
  )
}
