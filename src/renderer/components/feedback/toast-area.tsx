import { ActionIcon, Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ownHeld } from '../../lib/server/held.ts'
import { useStore } from '../../lib/state/store.ts'
import { currentToast, dismissToast } from '../../lib/state/toasts.ts'
import type { Toast } from '../../lib/state/toasts.ts'
import { HeldToast } from '../decision/held-toast.tsx'
import classes from './toast-area.module.css'

/**
 * One toast at a time, over what it is about: trouble first, then what can still be taken back, then what is
 * done. What it says is read aloud by the frame (`ToastVoice`), which outlives every screen.
 */
export function ToastArea() {
  const toast = useStore(currentToast)
  const held = useStore(ownHeld)
  return (
    <div className={classes['area']}>
      {held.length > 0 && toast?.kind !== 'error' ? (
        <HeldToast list={held} />
      ) : (
        toast !== null && <ToastLine key={toast.id} toast={toast} />
      )}
    </div>
  )
}

/** A plain one leaves after 6 s unless it is looked at. */
function ToastLine({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  const leaves = toast.kind === 'done' && !held
  useEffect(() => {
    if (!leaves) return undefined
    const timer = setTimeout(dismissToast, 6000)
    return () => clearTimeout(timer)
  }, [leaves])
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
      <ActionIcon size="sm" aria-label="Close this message" onClick={dismissToast}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
