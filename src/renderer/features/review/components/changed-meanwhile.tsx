import { Button } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { Notice } from '../../../components/notice.tsx'

/** Somebody else has saved what is being edited here. */
export function ChangedMeanwhile({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) {
  return (
    <Notice
      tone="note"
      icon={IconUserCheck}
      role="alert"
      title="Somebody saved another list meanwhile"
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
      <p>Saving replaces the whole list, theirs too.</p>
    </Notice>
  )
}
