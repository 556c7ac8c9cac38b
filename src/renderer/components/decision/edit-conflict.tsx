import { Button } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { Notice } from '../feedback/notice.tsx'

/** Shown when another person has saved what is being edited here. */
export function EditConflict({
  title,
  children,
  onTheirs,
  onMine,
}: {
  title: string
  /** What keeping one's own version does. */
  children: string
  onTheirs: () => void
  onMine: () => void
}) {
  return (
    <Notice
      tone="note"
      icon={IconUserCheck}
      role="alert"
      title={title}
      actions={
        <>
          <Button size="sm" onClick={onTheirs}>
            Use their version
          </Button>
          <Button size="sm" onClick={onMine}>
            Keep my version
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Notice>
  )
}
