import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { DockFrame, DockLine } from '../../../components/decision/dock-frame.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { formatSize, plural } from '../../../lib/format.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { listAllUnused } from '../media.api.ts'
import { useDeletion } from '../use-deletion.ts'
import type { Deletable } from '../use-deletion.ts'

interface Props {
  marked: readonly Deletable[]
  unused: { total: number; bytes: number } | undefined
  /** Whether it was asked to delete what is marked. */
  deleting: boolean
  onDeleting: (deleting: boolean) => void
  onMarked: (marked: readonly Deletable[]) => void
  /** What was marked is gone, or as much of it as could go. */
  onEnd: () => void
}

/** Says how many pictures can go and how large they are, and deletes them. */
export function MediaDock({ marked, unused, deleting, onDeleting, onMarked, onEnd }: Props) {
  const [selecting, setSelecting] = useState(false)
  const go = useRef<HTMLButtonElement>(null)
  const deletion = useDeletion(() => {
    onDeleting(false)
    onEnd()
  })
  useEffect(() => {
    if (deleting) go.current?.focus()
  }, [deleting])
  const selectAll = async (): Promise<void> => {
    setSelecting(true)
    try {
      onMarked((await listAllUnused()).map(({ sha256, size }) => ({ sha256, size })))
    } catch (error) {
      showToast({ kind: 'error', text: `Nothing was selected. ${asApiError(error).message}` })
    }
    setSelecting(false)
  }
  const what = `${plural(marked.length, 'picture')}, ${formatSize(marked.reduce((sum, { size }) => sum + size, 0))}`
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
      <DockFrame open={false} label="Deletion">
        <DockLine
          effect={<p role="status">{`Deleted ${progress.done} of ${plural(progress.of, 'picture')}.`}</p>}
        >
          <Button onClick={deletion.stop}>Stop</Button>
        </DockLine>
      </DockFrame>
    )
  }
  if (deleting && canDelete) {
    return (
      <DockFrame open={false} label="Deletion">
        <DockLine
          trouble
          effect={
            <p id="deletion">
              {what}, {marked.length === 1 ? 'goes' : 'go'} for good. Nothing that is saved uses{' '}
              {marked.length === 1 ? 'it' : 'them'}. There is no undo.
            </p>
          }
        >
          <Button onClick={() => onDeleting(false)} rightSection={<Keycap keys="Escape" quiet />}>
            Keep
          </Button>
          <Button
            ref={go}
            variant="filled"
            color="red"
            aria-describedby="deletion"
            onClick={() => deletion.start(marked)}
            rightSection={<Keycap keys="mod+Enter" quiet />}
          >
            Delete {plural(marked.length, 'picture')}
          </Button>
        </DockLine>
      </DockFrame>
    )
  }
  return (
    <DockFrame open={false} label="Deletion">
      <DockLine
        effect={<p role="status">{marked.length === 0 ? restSentence(unused) : `Selected: ${what}.`}</p>}
      >
        {unused !== undefined && unused.total > 0 && marked.length < unused.total && (
          <Button loading={selecting} onClick={() => void selectAll()}>
            Select all {unused.total} unused
          </Button>
        )}
        {marked.length > 0 && (
          <>
            <Button onClick={() => onMarked([])}>Select none</Button>
            <Button
              leftSection={<IconTrash size={16} stroke={1.75} />}
              rightSection={<Keycap keys="x" quiet />}
              onClick={() => onDeleting(true)}
            >
              Delete…
            </Button>
          </>
        )}
      </DockLine>
    </DockFrame>
  )
}

function restSentence(unused: Props['unused']): string {
  if (unused === undefined) return ''
  if (unused.total === 0) return 'Every picture is used; none can be deleted.'
  const one = unused.total === 1
  return `${plural(unused.total, 'picture')}, ${formatSize(unused.bytes)}, ${one ? 'is' : 'are'} used by nothing and can be deleted.`
}

interface Orders {
  deleting: boolean
  canDelete: boolean
  onDeleting: (deleting: boolean) => void
  start: () => void
}

function actionsFor({ deleting, canDelete, onDeleting, start }: Orders): Action[] {
  if (deleting) {
    return [
      {
        id: 'confirm',
        label: 'delete the selected pictures',
        group: 'Decide',
        keys: ['mod+Enter'],
        run: start,
      },
      { id: 'close', label: 'keep them', group: 'Decide', keys: ['Escape'], run: () => onDeleting(false) },
    ]
  }
  if (!canDelete) return []
  const ask = (): void => onDeleting(true)
  return [{ id: 'delete', label: 'delete the selected pictures…', group: 'Decide', keys: ['x'], run: ask }]
}
