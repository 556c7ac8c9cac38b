import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Focuses the element of the returned ref when the component is mounted, such as the first field of a form. */
export function useFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
