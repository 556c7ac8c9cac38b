import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Focuses the element of the returned ref when the component is mounted, such as the first field of a form. */
export function useFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}

/**
 * Focuses an element within `root` after the next rendering: set `focusTarget` to its selector when adding, moving or
 * removing an entry of a list.
 */
export function useFocusAfterChange() {
  const root = useRef<HTMLDivElement>(null)
  const focusTarget = useRef<string | null>(null)
  useEffect(() => {
    if (focusTarget.current === null) return
    root.current?.querySelector<HTMLElement>(focusTarget.current)?.focus()
    focusTarget.current = null
  })
  return { root, focusTarget }
}
