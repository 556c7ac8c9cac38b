import { useState } from 'react'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { formatSize } from '../../../lib/format.ts'
import { ProjectDialog } from './project-dialog.tsx'
import classes from './project-foot.module.css'

/** Which project the views are about, and the way to another one. */
export function ProjectFoot({ project }: { project: AgentProject }) {
  const [changing, setChanging] = useState(false)
  const { folder, name, bytes } = project
  return (
    <div className={classes['foot']}>
      <span className={classes['label']}>Agent project</span>
      {folder === null ? (
        <span>none chosen</span>
      ) : (
        <>
          <b title={folder}>{name}</b>
          <span>data/nexus.db{bytes === null ? '' : `, ${formatSize(bytes)}`}</span>
        </>
      )}
      <button type="button" onClick={() => setChanging(true)}>
        Change…
      </button>
      <ProjectDialog project={project} opened={changing} onClose={() => setChanging(false)} />
    </div>
  )
}
