import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Notice } from '../../components/feedback/notice.tsx'
import { liveState, retryLive } from '../../lib/server/live-state.ts'
import { useStore } from '../../lib/state/store.ts'
import { formatAge } from '../../lib/time/time.ts'
import { useLate } from '../../lib/time/use-late.ts'
import { useNow } from '../../lib/time/use-now.ts'
import classes from './notice-strip.module.css'

/** While the server does not answer: the desk stays, and says how old it is. */
export function CutOff() {
  const live = useStore(liveState)
  const shown = useLate(live.state === 'lost', 2500)
  return shown ? <CutOffNotice since={live.since} nextTry={live.nextTry} /> : null
}

function CutOffNotice({ since, nextTry }: { since: number; nextTry: number | null }) {
  const now = useNow(1000)
  const retry = useStore(retryLive)
  const wait = Math.max(1, Math.ceil(((nextTry ?? now) - now) / 1000))
  return (
    <div className={classes['strip']} role="status">
      <Notice
        tone="warn"
        icon={IconPlugConnectedX}
        title={<span aria-live="off">{`No answer from Skilldock for ${formatAge(now - since)}`}</span>}
        actions={
          <Button size="sm" onClick={retry}>
            Try now
          </Button>
        }
      >
        <p aria-live="off">
          You can read on and write notes. Decisions wait until it answers; next try in {wait} s.
        </p>
      </Notice>
    </div>
  )
}
