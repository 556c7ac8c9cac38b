import { ActionIcon, Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ownHeld } from '../../lib/server/held-decisions.ts'
import { useStore } from '../../lib/state/store.ts'
import { currentToast, dismissToast } from '../../lib/state/toasts.ts'
import type { Toast } from '../../lib/state/toasts.ts'
import { HeldToast } from '../decision/held-toast.tsx'
import classes from './toast-area.module.css'

/**
 * One toast at a time: errors first, then decisions that can still be undone, then confirmations. Screen readers get
 * its text from `ToastAnnouncer`, which stays in the page when the screen changes. With a place, it is at the bottom of its pane
 * or of the window; otherwise right above its parent.
 */
export function ToastArea({ place }: { place?: 'pane' | 'window' }) {
  const toast = useStore(currentToast)
  const held = useStore(ownHeld)
  const area = (
    <div className={classes['area']}>
      {held.length > 0 && toast?.kind !== 'error' ? (
        <HeldToast list={held} />
      ) : (
        toast !== null && <ToastLine key={toast.id} toast={toast} />
      )}
    </div>
  )
  return place === undefined ? area : <div className={classes[place]}>{area}</div>
}

/** A confirmation disappears after 6 s, unless the pointer or the focus is on it. */
function ToastLine({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const expires = toast.kind === 'done' && !isHeld
  useEffect(() => {
    if (!expires) return undefined
    const timer = setTimeout(dismissToast, 6000)
    return () => clearTimeout(timer)
  }, [expires])
  const { action } = toast
  const Icon = toast.kind === 'error' ? IconAlertOctagonFilled : IconCircleCheck
  return (
    <div
      className={classes['toast']}
      data-toast={toast.kind}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
      <p>
        {toast.subject !== undefined && <b>{toast.subject} </b>}
        {toast.text}
      </p>
      {action !== undefined && (
        <Button
          size="sm"
          variant="transparent"
          className={classes['action'] ?? ''}
          onClick={() => {
            dismissToast()
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <ActionIcon size="sm" aria-label="Close notification" onClick={dismissToast}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
