import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** For what a person has just asked for: its first field has the focus as soon as it is there. */
export function useFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
