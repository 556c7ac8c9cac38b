import { useEffect, useEffectEvent, useRef } from 'react'
import { deskServiceRoutes } from '../../../shared/contracts/desk-services.ts'
import { call } from '../../lib/server/client.ts'
import { deskName, writtenElsewhere } from '../../lib/server/desk-presence.ts'
import { liveState } from '../../lib/server/live-state.ts'
import { useStore } from '../../lib/state/store.ts'

/** How often the other desks hear that somebody goes on writing. */
const tellMs = 20_000

/** Tells the other desks that this post is open in an editor here, and gives those in which it is as well. */
export function useWriting(post: number, markdown: string) {
  const { state } = useStore(liveState)
  const isOpen = state === 'open'
  const written = useRef<{ text: string; at: number; told: number } | null>(null)
  const tellNow = useEffectEvent((id: number) => {
    const now = Date.now()
    const since = (written.current ??= { text: markdown, at: now, told: 0 })
    since.told = now
    tell(id, now - since.at)
  })
  const look = useEffectEvent((text: string) => {
    const since = written.current
    if (since === null || since.text === text) return
    Object.assign(since, { text, at: Date.now() })
    if (isOpen && since.at - since.told > tellMs) tellNow(post)
  })
  useEffect(() => {
    if (isOpen) tellNow(post)
  }, [isOpen, post])
  useEffect(() => look(markdown), [markdown])
  useEffect(
    () => () => {
      if (liveState.get().state === 'open') tell(null, 0)
    },
    [],
  )
  return useStore(writtenElsewhere).filter((one) => one.post === post)
}

/** Nothing depends on it, and the next change of the stream tells it again. */
function tell(post: number | null, idleMs: number): void {
  call(deskServiceRoutes.showWriting, { body: { desk: deskName, post, idleMs } }).catch(() => undefined)
}
