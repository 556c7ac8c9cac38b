import { useEffect, useEffectEvent, useRef } from 'react'
import { reportWriting, writtenElsewhere } from '../../lib/server/desk-presence.ts'
import { liveState } from '../../lib/server/live-state.ts'
import { useStore } from '../../lib/state/store.ts'

/** Milliseconds between two reports to the other desks while someone is typing. */
const reportMs = 20_000

/** Reports to the other desks that this post is open here, and returns the desks in which it is also open. */
export function useEditorPresence(post: number, markdown: string) {
  const { state } = useStore(liveState)
  const isOpen = state === 'open'
  const lastEdit = useRef<{ text: string; at: number; reportedAt: number } | null>(null)
  const reportNow = useEffectEvent((id: number) => {
    const now = Date.now()
    const since = (lastEdit.current ??= { text: markdown, at: now, reportedAt: 0 })
    since.reportedAt = now
    reportWriting(id, now - since.at)
  })
  const noticeEdit = useEffectEvent((text: string) => {
    const since = lastEdit.current
    if (since === null || since.text === text) return
    Object.assign(since, { text, at: Date.now() })
    if (isOpen && since.at - since.reportedAt > reportMs) reportNow(post)
  })
  useEffect(() => {
    if (isOpen) reportNow(post)
  }, [isOpen, post])
  useEffect(() => noticeEdit(markdown), [markdown])
  useEffect(
    () => () => {
      if (liveState.get().state === 'open') reportWriting(null, 0)
    },
    [],
  )
  return useStore(writtenElsewhere).filter((one) => one.post === post)
}
