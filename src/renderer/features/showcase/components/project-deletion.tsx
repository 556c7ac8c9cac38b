import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { DockLine } from '../../../components/decision/dock-frame.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { deletionEffect } from '../project-words.ts'
import { useDeleteProject } from '../showcase.api.ts'

interface Props {
  project: DeskProject
  onDeleted: () => void
  onClose: () => void
}

/** Asks once more, and says what goes with the project. */
export function ProjectDeletion({ project, onDeleted, onClose }: Props) {
  const deletion = useDeleteProject(project.id)
  const go = useRef<HTMLButtonElement>(null)
  useEffect(() => go.current?.focus(), [])
  const failed = deletion.isError
  useEffect(() => {
    // A button that is loading loses the focus.
    if (failed) go.current?.focus()
  }, [failed])
  const confirm = (): void => {
    if (deletion.isPending) return
    deletion.mutate(undefined, {
      onSuccess: onDeleted,
      onError(error) {
        // Somebody was faster.
        if (asApiError(error).code === 'NOT_FOUND') onDeleted()
      },
    })
  }
  useActions([
    { id: 'confirm', label: 'confirm: delete', group: 'Decide', keys: ['mod+Enter'], run: confirm },
    { id: 'close', label: 'keep it', group: 'Decide', keys: ['Escape'], run: onClose },
  ])
  return (
    <DockLine
      trouble
      effect={
        <p id="deletion" role={deletion.error === null ? undefined : 'alert'}>
          {deletion.error === null
            ? `${deletionEffect(project)} There is no undo.`
            : `It was not deleted. ${asApiError(deletion.error).message}`}
        </p>
      }
    >
      <Button onClick={onClose} rightSection={<Keycap keys="Escape" quiet />}>
        Keep
      </Button>
      <Button
        ref={go}
        variant="filled"
        color="red"
        loading={deletion.isPending}
        aria-describedby="deletion"
        onClick={confirm}
        rightSection={<Keycap keys="mod+Enter" quiet />}
      >
        Delete
      </Button>
    </DockLine>
  )
}
