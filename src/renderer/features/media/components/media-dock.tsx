import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { decisionKeys } from '../../../components/decision/decision-keys.ts'
import { DockButton, DockFrame, DockLine } from '../../../components/decision/dock-frame.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { listAllUnused } from '../media.api.ts'
import { texts } from '../media.texts.ts'
import { useDeletion } from '../use-deletion.ts'
import type { Deletable } from '../use-deletion.ts'

const { dock } = texts

interface Props {
  marked: readonly Deletable[]
  unused: { total: number; bytes: number } | undefined
  /** Whether the deletion of the marked images is to be confirmed. */
  deleting: boolean
  onDeleting: (deleting: boolean) => void
  onMarked: (marked: readonly Deletable[]) => void
  /** Called after the deletion, whether all of the marked images could be deleted or not. */
  onEnd: () => void
}

/** Selects and deletes unused images, with their number and size. */
export function MediaDock({ marked, unused, deleting, onDeleting, onMarked, onEnd }: Props) {
  const [selecting, setSelecting] = useState(false)
  const confirmButton = useRef<HTMLButtonElement>(null)
  const deletion = useDeletion(() => {
    onDeleting(false)
    onEnd()
  })
  useEffect(() => {
    if (deleting) confirmButton.current?.focus()
  }, [deleting])
  const selectAll = async (): Promise<void> => {
    setSelecting(true)
    try {
      onMarked((await listAllUnused()).map(({ sha256, size }) => ({ sha256, size })))
    } catch (error) {
      showToast({ kind: 'error', text: dock.selectFailed(asApiError(error).message) })
    }
    setSelecting(false)
  }
  const bytes = marked.reduce((sum, { size }) => sum + size, 0)
  const { progress } = deletion
  const canDelete = marked.length > 0 && progress === null
  useActions(
    actionsFor({
      deleting: deleting && canDelete,
      canDelete,
      onDeleting,
      start: () => deletion.start(marked),
    }),
  )

  if (progress !== null) {
    return (
      <DockFrame open={false} label={dock.label}>
        <DockLine effect={<p role="status">{dock.progress(progress.done, progress.of)}</p>}>
          <Button onClick={deletion.stop}>{dock.stop}</Button>
        </DockLine>
      </DockFrame>
    )
  }
  if (deleting && canDelete) {
    return (
      <DockFrame open={false} label={dock.label}>
        <DockLine blocked effect={<p id="deletion">{dock.warning(marked.length, bytes)}</p>}>
          <ActionButton onClick={() => onDeleting(false)} keys="Escape">
            {dock.cancel}
          </ActionButton>
          <ActionButton
            ref={confirmButton}
            variant="filled"
            color="red"
            aria-describedby="deletion"
            onClick={() => deletion.start(marked)}
            keys="mod+Enter"
          >
            {dock.confirm(marked.length)}
          </ActionButton>
        </DockLine>
      </DockFrame>
    )
  }
  return (
    <DockFrame open={false} label={dock.label}>
      <DockLine
        effect={
          <p role="status">
            {marked.length === 0 ? describeUnused(unused) : dock.selected(marked.length, bytes)}
          </p>
        }
      >
        {unused !== undefined && unused.total > 0 && marked.length < unused.total && (
          <Button loading={selecting} onClick={() => void selectAll()}>
            {dock.selectAll(unused.total)}
          </Button>
        )}
        {marked.length > 0 && (
          <>
            <Button onClick={() => onMarked([])}>{dock.selectNone}</Button>
            <DockButton icon={IconTrash} keys={decisionKeys.remove} onClick={() => onDeleting(true)}>
              {dock.delete}
            </DockButton>
          </>
        )}
      </DockLine>
    </DockFrame>
  )
}

function describeUnused(unused: Props['unused']): string {
  if (unused === undefined) return ''
  return unused.total === 0 ? dock.noneUnused : dock.unused(unused.total, unused.bytes)
}

interface DeletionState {
  deleting: boolean
  canDelete: boolean
  onDeleting: (deleting: boolean) => void
  start: () => void
}

function actionsFor({ deleting, canDelete, onDeleting, start }: DeletionState): Action[] {
  if (deleting) {
    return [
      {
        id: 'confirm',
        label: dock.actions.confirm,
        group: 'Decide',
        keys: ['mod+Enter'],
        run: start,
      },
      {
        id: 'close',
        label: dock.actions.cancel,
        group: 'Decide',
        keys: ['Escape'],
        run: () => onDeleting(false),
      },
    ]
  }
  if (!canDelete) return []
  const ask = (): void => onDeleting(true)
  return [
    { id: 'delete', label: dock.actions.delete, group: 'Decide', keys: [decisionKeys.remove], run: ask },
  ]
}
