import { useEffect } from 'react'
import { deskServiceRoutes } from '../../../../shared/contracts/desk-services.ts'
import { call } from '../../../lib/server/client.ts'
import { deskName } from '../../../lib/server/desk-presence.ts'
import { liveState } from '../../../lib/server/live-state.ts'
import { useStore } from '../../../lib/state/store.ts'

/** Tells the other desks which release is open here, for as long as the stream of changes is. */
export function usePresence(release: number | null): void {
  const { state } = useStore(liveState)
  const isOpen = state === 'open'
  useEffect(() => {
    if (isOpen) tell(release)
  }, [isOpen, release])
  useEffect(
    () => () => {
      if (liveState.get().state === 'open') tell(null)
    },
    [],
  )
}

/** Nothing depends on it, and the next change of the stream or of the selection tells it again. */
function tell(release: number | null): void {
  call(deskServiceRoutes.showPresence, { body: { desk: deskName, release } }).catch(() => undefined)
}
