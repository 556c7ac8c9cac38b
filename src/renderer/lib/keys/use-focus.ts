import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Focuses the element of the returned ref when the component is mounted, such as the first field of a form. */
export function useFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}

/** Focuses an element within `root` after the next rendering: `focusNext` takes its selector. For changes of a list. */
export function useFocusAfterChange() {
  const root = useRef<HTMLDivElement>(null)
  const target = useRef<string | null>(null)
  useEffect(() => {
    if (target.current === null) return
    root.current?.querySelector<HTMLElement>(target.current)?.focus()
    target.current = null
  })
  const focusNext = (selector: string): void => {
    target.current = selector
  }
  return { root, focusNext }
}
