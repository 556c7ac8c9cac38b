import { useEffect } from 'react'
import { reportRelease } from '../../../lib/server/desk-presence.ts'
import { liveState } from '../../../lib/server/live-state.ts'
import { useStore } from '../../../lib/state/store.ts'

/** Tells the other desks which release is open here, while the event stream is connected. */
export function usePresence(release: number | null): void {
  const { state } = useStore(liveState)
  const isOpen = state === 'open'
  useEffect(() => {
    if (isOpen) reportRelease(release)
  }, [isOpen, release])
  useEffect(
    () => () => {
      if (liveState.get().state === 'open') reportRelease(null)
    },
    [],
  )
}
