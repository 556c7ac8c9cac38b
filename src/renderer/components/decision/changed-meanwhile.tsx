import { Button } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { Notice } from '../feedback/notice.tsx'

/** Somebody else has saved what is being edited here. */
export function ChangedMeanwhile({
  title,
  children,
  onTheirs,
  onMine,
}: {
  title: string
  /** What going on with one's own does. */
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
            Take theirs
          </Button>
          <Button size="sm" onClick={onMine}>
            Go on with mine
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Notice>
  )
}
