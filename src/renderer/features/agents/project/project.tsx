import { Button, Modal, TextInput } from '@mantine/core'
import { IconDatabaseOff, IconFolderOpen, IconHourglass } from '@tabler/icons-react'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { isBlank } from '../../../../shared/text.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder } from '../../../lib/app/folders.ts'
import { formatSize } from '../../../lib/format.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useChooseProject, useForgetProject, useRetryProject } from '../agents.api.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import classes from './project.module.css'

/** The projects that were shown before, and a field for another folder. */
function ProjectChoice({ project, onDone }: { project: AgentProject; onDone?: () => void }) {
  const choose = useChooseProject()
  const forget = useForgetProject()
  const [folder, setFolder] = useState('')
  if (project.fixedBy !== null) {
    return (
      <p className={classes['fixed']}>
        <code>{project.fixedBy}</code> in the server’s environment chooses the project. Without it, or with
        another value, the server shows another one after its next start.
      </p>
    )
  }
  const show = (path: string): void => choose.mutate(path, { onSuccess: () => onDone?.() })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (folder.trim() !== '') show(folder.trim())
  }
  const pick = async (): Promise<void> => {
    const path = await chooseFolder('agents')
    if (path === null) return
    setFolder(path)
    show(path)
  }
  const error = choose.error ?? forget.error
  return (
    <div className={classes['choice']}>
      {project.remembered.length > 0 && (
        <ul aria-label="Projects that were shown before">
          {project.remembered.map((one) => (
            <li key={one.folder}>
              <div>
                <b>{one.name}</b>
                <span title={one.folder}>
                  {one.folder}
                  {one.exists ? '' : ' (no data/nexus.db there now)'}
                </span>
              </div>
              {one.chosen ? (
                <span>shown now</span>
              ) : (
                <>
                  <Button size="sm" disabled={choose.isPending} onClick={() => show(one.folder)}>
                    Show {one.name}
                  </Button>
                  <Button
                    size="sm"
                    variant="subtle"
                    aria-label={`Forget ${one.name}`}
                    disabled={forget.isPending}
                    onClick={() => forget.mutate(one.folder)}
                  >
                    Forget
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit}>
        <TextInput
          label={project.remembered.length > 0 ? 'Another folder' : 'Folder of the project'}
          description="The whole path of the folder that holds data/nexus.db."
          inputWrapperOrder={['label', 'input', error === null ? 'description' : 'error']}
          error={error === null ? undefined : asApiError(error).message}
          value={folder}
          spellCheck={false}
          onChange={({ currentTarget }) => setFolder(currentTarget.value)}
        />
        {bridge !== null && <Button onClick={() => void pick()}>Choose…</Button>}
        <Button type="submit" variant="filled" disabled={isBlank(folder) || choose.isPending}>
          Show it
        </Button>
      </form>
    </div>
  )
}

/** Which project the views are about, and the way to another one. */
export function ProjectFoot({ project }: { project: AgentProject }) {
  const [changing, setChanging] = useState(false)
  const { folder, name, bytes } = project
  const close = (): void => setChanging(false)
  return (
    <div className={classes['foot']}>
      <small>Agent project</small>
      {folder === null ? (
        <span>none chosen</span>
      ) : (
        <>
          <b title={folder}>{name}</b>
          <span>data/nexus.db{bytes === null ? '' : `, ${formatSize(bytes)}`}</span>
        </>
      )}
      <TextButton onClick={() => setChanging(true)}>Change…</TextButton>
      <Modal
        opened={changing}
        onClose={close}
        title="Agent project"
        size={560}
        closeButtonProps={{ 'aria-label': 'Close' }}
        classNames={{ title: classes['title'] ?? '' }}
      >
        <ProjectChoice project={project} onDone={close} />
      </Modal>
    </div>
  )
}

const troubles = {
  missing: { tone: 'warn', icon: IconDatabaseOff, title: 'The project’s database is not there' },
  busy: { tone: 'warn', icon: IconHourglass, title: 'Another program holds the project’s database' },
  unreadable: { tone: 'bad', icon: IconDatabaseOff, title: 'The project’s database cannot be read' },
} as const

interface TroubleProps {
  project: AgentProject | undefined
  error: unknown
  retry: () => void
}

/** Above every view while the project cannot be read: what happened and what to do. */
export function ProjectNotice({ project, error, retry }: TroubleProps) {
  const reopen = useRetryProject()
  if (project === undefined) {
    return (
      error !== null && (
        <div className={classes['trouble']}>
          <Failure error={error} what="The agent project cannot be read" retry={retry} />
        </div>
      )
    )
  }
  if (project.state === 'ready' || project.state === 'none') return null
  // Works even after too many failures to try unasked.
  const again = (
    <Button size="sm" loading={reopen.isPending} onClick={() => reopen.mutate()}>
      Try again
    </Button>
  )
  return (
    <div className={classes['trouble']}>
      <Notice
        {...troubles[project.state]}
        role="status"
        actions={project.state === 'unreadable' ? again : undefined}
      >
        <p>{project.sentence}</p>
      </Notice>
    </div>
  )
}

/**
 * In every view until a project is chosen, or while its folder holds no database: the first step. Nothing is known then,
 * which is not the same as nothing being wrong.
 */
export function NoProject({ project }: { project: AgentProject }) {
  const isChosen = project.state === 'missing'
  return (
    <div className={classes['none']}>
      <EmptyState
        icon={isChosen ? IconDatabaseOff : IconFolderOpen}
        title={isChosen ? 'Nothing is known of this project’s agents' : 'No agent project is chosen'}
      >
        <p>
          {isChosen
            ? 'Their runtime writes data/nexus.db into the project’s folder. Without a runtime at hand, this line writes agents to look at:'
            : 'Choose the folder of one; it is only read. Without one at hand, this line writes one to look at:'}
        </p>
      </EmptyState>
      <FirstStep folder={isChosen ? (project.folder ?? '') : 'DIR'} />
      {!isChosen && <ProjectChoice project={project} />}
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
