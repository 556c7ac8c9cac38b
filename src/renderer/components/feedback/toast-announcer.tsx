import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { heldAnnouncement, latestOwn, ownHeld, secondsLeft } from '../../lib/server/held-decisions.ts'
import type { OwnHeld } from '../../lib/server/held-decisions.ts'
import { useStore } from '../../lib/state/store.ts'
import { currentToast } from '../../lib/state/toasts.ts'

/**
 * Announces each toast once. The live regions are always in the page, because many screen readers ignore a live region
 * that is added together with its text.
 */
export function ToastAnnouncer() {
  const toast = useStore(currentToast)
  const list = useStore(ownHeld)
  const held = latestOwn(list)
  return (
    <>
      <VisuallyHidden role="status" data-voice="held">
        {held !== null && <HeldAnnouncement key={`${held.releaseId} ${held.until}`} one={held} />}
      </VisuallyHidden>
      <VisuallyHidden role="status" data-voice="toast">
        {toast !== null && `${toast.subject === undefined ? '' : `${toast.subject} `}${toast.text}`}
      </VisuallyHidden>
    </>
  )
}

/** Keeps the seconds it started with: a changed text would be announced again. */
function HeldAnnouncement({ one }: { one: OwnHeld }) {
  const [seconds] = useState(() => secondsLeft(one, Date.now()))
  return heldAnnouncement(one, seconds)
}
