import { useEffect } from 'react'
import { deskServiceRoutes } from '../../../../shared/contracts/desk-services.ts'
import { call } from '../../../lib/server/client.ts'
import { deskName } from '../../../lib/server/desk-presence.ts'
import { liveState } from '../../../lib/server/live-state.ts'
import { useStore } from '../../../lib/state/store.ts'

/** Tells the other desks which release is open here, while the event stream is connected. */
export function usePresence(release: number | null): void {
  const { state } = useStore(liveState)
  const isOpen = state === 'open'
  useEffect(() => {
    if (isOpen) send(release)
  }, [isOpen, release])
  useEffect(
    () => () => {
      if (liveState.get().state === 'open') send(null)
    },
    [],
  )
}

/** Best effort: a failure is ignored, since the next change of stream or selection sends it again. */
function send(release: number | null): void {
  call(deskServiceRoutes.showPresence, { body: { desk: deskName, release } }).catch(() => undefined)
}
