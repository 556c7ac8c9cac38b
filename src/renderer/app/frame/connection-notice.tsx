import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Notice } from '../../components/feedback/notice.tsx'
import { liveState, retryLive } from '../../lib/server/live-state.ts'
import { useStore } from '../../lib/state/store.ts'
import { formatAge } from '../../lib/time/time.ts'
import { useDelayed } from '../../lib/time/use-delayed.ts'
import { useNow } from '../../lib/time/use-now.ts'
import classes from './notice-strip.module.css'

/** Shown while the server cannot be reached. The desk stays usable for reading. */
export function ConnectionNotice() {
  const live = useStore(liveState)
  const shown = useDelayed(live.state === 'lost', 2500)
  return shown ? <LostConnection since={live.since} nextTry={live.nextTry} /> : null
}

function LostConnection({ since, nextTry }: { since: number; nextTry: number | null }) {
  const now = useNow(1000)
  const retry = useStore(retryLive)
  const wait = Math.max(1, Math.ceil(((nextTry ?? now) - now) / 1000))
  return (
    <div className={classes['strip']} role="status">
      <Notice
        tone="warn"
        icon={IconPlugConnectedX}
        title={<span aria-live="off">{`Connection lost ${formatAge(now - since)} ago`}</span>}
        actions={
          <Button size="sm" onClick={retry}>
            Retry now
          </Button>
        }
      >
        <p aria-live="off">
          You can keep reading and writing, but changes can't be saved until the connection is back. Retrying
          in {wait} s.
        </p>
      </Notice>
    </div>
  )
}
