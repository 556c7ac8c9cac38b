import { useEffect, useRef } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { DockLine } from '../../../components/decision/dock-frame.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { deletionEffect } from '../project-effects.ts'
import { useDeleteProject } from '../showcase.api.ts'
import { texts } from '../showcase.texts.ts'

const { deletion: labels } = texts

interface Props {
  project: DeskProject
  onDeleted: () => void
  onClose: () => void
}

/** Confirms the deletion of a project and says what is deleted with it. */
export function ProjectDeletion({ project, onDeleted, onClose }: Props) {
  const deletion = useDeleteProject(project.id)
  const confirmButton = useRef<HTMLButtonElement>(null)
  useEffect(() => confirmButton.current?.focus(), [])
  const failed = deletion.isError
  useEffect(() => {
    // A loading button is disabled, which loses the focus.
    if (failed) confirmButton.current?.focus()
  }, [failed])
  const confirm = (): void => {
    if (deletion.isPending) return
    deletion.mutate(undefined, {
      onSuccess: onDeleted,
      onError(error) {
        // Someone else deleted it first.
        if (asApiError(error).code === 'NOT_FOUND') onDeleted()
      },
    })
  }
  useActions([
    { id: 'confirm', label: labels.actions.confirm, group: 'Decide', keys: ['mod+Enter'], run: confirm },
    { id: 'close', label: labels.actions.cancel, group: 'Decide', keys: ['Escape'], run: onClose },
  ])
  return (
    <DockLine
      blocked
      effect={
        <p id="deletion" role={deletion.error === null ? undefined : 'alert'}>
          {deletion.error === null
            ? deletionEffect(project)
            : labels.failed(asApiError(deletion.error).message)}
        </p>
      }
    >
      <ActionButton onClick={onClose} keys="Escape">
        {labels.cancel}
      </ActionButton>
      <ActionButton
        ref={confirmButton}
        variant="filled"
        color="red"
        loading={deletion.isPending}
        aria-describedby="deletion"
        onClick={confirm}
        keys="mod+Enter"
      >
        {labels.confirm}
      </ActionButton>
    </DockLine>
  )
}
