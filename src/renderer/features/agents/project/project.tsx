import { Button, Modal, TextInput } from '@mantine/core'
import { IconDatabaseOff, IconFolderOpen, IconHourglass } from '@tabler/icons-react'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { isBlank } from '../../../../shared/text.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder } from '../../../lib/app/folders.ts'
import { formatSize } from '../../../lib/format.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useAgentProject, useChooseProject, useForgetProject, useRetryProject } from '../agents.api.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { texts } from '../agents.texts.ts'
import classes from './project.module.css'

/** The recent projects, and a field for another folder. */
function ProjectChoice({ project, onDone }: { project: AgentProject; onDone?: () => void }) {
  const choose = useChooseProject()
  const forget = useForgetProject()
  const [folder, setFolder] = useState('')
  if (project.fixedBy !== null) {
    return (
      <p data-ink="calm">
        {texts.project.fixed.before}
        <code>{project.fixedBy}</code>
        {texts.project.fixed.after}
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
        <ul aria-label={texts.project.recent}>
          {project.remembered.map((one) => (
            <li key={one.folder}>
              <div>
                <b>{one.name}</b>
                <span data-text="note" title={one.folder}>
                  {one.folder}
                  {one.exists ? '' : texts.project.databaseMissing}
                </span>
              </div>
              {one.chosen ? (
                <span data-text="note">{texts.project.current}</span>
              ) : (
                <>
                  <Button size="sm" disabled={choose.isPending} onClick={() => show(one.folder)}>
                    {texts.project.open(one.name)}
                  </Button>
                  <Button
                    size="sm"
                    variant="subtle"
                    aria-label={texts.project.removeLabel(one.name)}
                    disabled={forget.isPending}
                    onClick={() => forget.mutate(one.folder)}
                  >
                    {texts.project.remove}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit}>
        <TextInput
          label={project.remembered.length > 0 ? texts.project.otherFolder : texts.project.folder}
          description={texts.project.folderHint}
          inputWrapperOrder={['label', 'input', error === null ? 'description' : 'error']}
          error={error === null ? undefined : asApiError(error).message}
          value={folder}
          spellCheck={false}
          onChange={({ currentTarget }) => setFolder(currentTarget.value)}
        />
        {bridge !== null && <Button onClick={() => void pick()}>{texts.project.choose}</Button>}
        <Button type="submit" variant="filled" disabled={isBlank(folder) || choose.isPending}>
          {texts.project.submit}
        </Button>
      </form>
    </div>
  )
}

/** The selected project, with a button that changes it. */
export function ProjectFoot({ project }: { project: AgentProject }) {
  const [changing, setChanging] = useState(false)
  const { folder, name, bytes } = project
  const close = (): void => setChanging(false)
  return (
    <div className={classes['foot']}>
      <small>{texts.project.title}</small>
      {folder === null ? (
        <span>{texts.project.none}</span>
      ) : (
        <>
          <b title={folder}>{name}</b>
          <span>{texts.project.database(bytes === null ? null : formatSize(bytes))}</span>
        </>
      )}
      <TextButton onClick={() => setChanging(true)}>{texts.project.change}</TextButton>
      <Modal
        opened={changing}
        onClose={close}
        title={texts.project.title}
        size={560}
        closeButtonProps={{ 'aria-label': texts.project.close }}
      >
        <ProjectChoice project={project} onDone={close} />
      </Modal>
    </div>
  )
}

const notices = {
  missing: { tone: 'warn', icon: IconDatabaseOff, title: texts.project.problems.missing },
  busy: { tone: 'warn', icon: IconHourglass, title: texts.project.problems.busy },
  unreadable: { tone: 'bad', icon: IconDatabaseOff, title: texts.project.problems.unreadable },
} as const

/** Above every view while the project cannot be read: what happened, and what to do. */
export function ProjectNotice() {
  const { data: project, error, refetch } = useAgentProject()
  const reopen = useRetryProject()
  if (project === undefined) {
    return (
      error !== null && (
        <div className={classes['notice']}>
          <Failure error={error} what={texts.project.loadFailed} retry={() => void refetch()} />
        </div>
      )
    )
  }
  if (project.state === 'ready' || project.state === 'none') return null
  // Also works after the automatic retries have ended.
  const retryButton = (
    <Button size="sm" loading={reopen.isPending} onClick={() => reopen.mutate()}>
      {texts.project.retry}
    </Button>
  )
  return (
    <div className={classes['notice']}>
      <Notice
        {...notices[project.state]}
        role="status"
        actions={project.state === 'unreadable' ? retryButton : undefined}
      >
        <p>{project.sentence}</p>
      </Notice>
    </div>
  )
}

/**
 * The first step, in every view until a project with a database is selected. Does not show an empty list of alerts, which
 * would say that all is well.
 */
export function NoProject({ project }: { project: AgentProject }) {
  const isChosen = project.state === 'missing'
  const { title, text } = isChosen ? texts.project.firstStep.noDatabase : texts.project.firstStep.noProject
  return (
    <div className={classes['none']}>
      <EmptyState icon={isChosen ? IconDatabaseOff : IconFolderOpen} title={title}>
        <p>{text}</p>
      </EmptyState>
      <CommandLine command={`skilldock demo --agents ${quoted(isChosen ? (project.folder ?? '') : 'DIR')}`} />
      {!isChosen && <ProjectChoice project={project} />}
    </div>
  )
}

/** A folder as one word of a shell command. */
function quoted(folder: string): string {
  return /^[\w./@:+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`
}
