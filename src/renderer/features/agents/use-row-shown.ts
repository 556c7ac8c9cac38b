import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { RefObject } from 'react'

/** An address that leads to a row of a table far down the page leads to the table as well, once all is in its place. */
export function useRowShown(row: number, isReady: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  const wasShown = useRef(false)
  const unread = useIsFetching({
    queryKey: ['agents'],
    predicate: ({ state }) => state.data === undefined,
  })
  const show = useEffectEvent(() => {
    if (row > 0 && !wasShown.current) section.current?.scrollIntoView({ block: 'end' })
    wasShown.current = true
  })
  const isSettled = isReady && unread === 0
  useEffect(() => {
    if (isSettled) show()
  }, [isSettled])
  return section
}
