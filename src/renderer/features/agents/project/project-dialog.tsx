import { Modal } from '@mantine/core'
import type { AgentProject } from '../../../../shared/contracts/desk-agents-project.ts'
import { ProjectChoice } from './project-choice.tsx'
import classes from './project-dialog.module.css'

/** Switches to another project. */
export function ProjectDialog({
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
