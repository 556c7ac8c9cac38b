import { IconDatabaseOff, IconFolderOpen } from '@tabler/icons-react'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import classes from './no-project.module.css'
import { ProjectChoice } from './project-choice.tsx'

/** What stands in every view until a project is chosen: the first step. */
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
