import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { isBlank } from '../../../../shared/text.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder } from '../../../lib/app/folders.ts'
import { formatSize } from '../../../lib/format.ts'
import { TextButton } from '../components/signs.tsx'
import { useChooseProject, useForgetProject } from '../agents.api.ts'
import classes from './project.module.css'

/** The projects that were shown before, and a field for another folder. */
export function ProjectChoice({ project, onDone }: { project: AgentProject; onDone?: () => void }) {
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
                <span className={classes['chosen']}>shown now</span>
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
      <form className={classes['other']} onSubmit={submit}>
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
      <TextButton onClick={() => setChanging(true)}>Change…</TextButton>
      <ProjectDialog project={project} opened={changing} onClose={() => setChanging(false)} />
    </div>
  )
}

/** Switches to another project. */
function ProjectDialog({
  project,
  opened,
  onClose,
}: {
  project: AgentProject
  opened: boolean
  onClose: () => void
}) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={560}
      radius="xl"
      shadow="lg"
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title className={classes['title'] ?? ''}>Agent project</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>
          <ProjectChoice project={project} onDone={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
