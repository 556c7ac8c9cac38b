import { VisuallyHidden } from '@mantine/core'
import { heldTitle, latestOwn, ownHeld } from '../lib/held.ts'
import { useStore } from '../lib/store.ts'
import { currentToast } from '../lib/toasts.ts'

/** Reads each toast aloud once. It is there all the time: what appears together with its text is often not read. */
export function ToastVoice() {
  const toast = useStore(currentToast)
  const list = useStore(ownHeld)
  const held = latestOwn(list)
  return (
    <>
      <VisuallyHidden role="status" data-voice="held">
        {held !== null && `${upper(heldTitle(held))} takes effect in ten seconds. Z takes it back.`}
      </VisuallyHidden>
      <VisuallyHidden role="status" data-voice="toast">
        {toast !== null && `${toast.subject === undefined ? '' : `${toast.subject} `}${toast.text}`}
      </VisuallyHidden>
    </>
  )
}

function upper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
