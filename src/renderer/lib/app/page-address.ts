import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useViewState } from '../state/use-view-state.ts'

/** A path with query parameters; null, empty and undefined ones are left out. */
export function pathWith(path: string, params: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, String(value))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** The router's path for an address that may begin with the desk's base, such as those in alerts and `agentPaths`. */
export function inDesk(address: string): string {
  return address.startsWith('/desk/') ? address.slice('/desk'.length) : address
}

/** Reads and replaces one query parameter and keeps the others; null removes it. */
export function useAddressParam(key: string): [string | null, (value: string | null) => void] {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const set = (value: string | null): void => {
    const params = new URLSearchParams(search)
    if (value === null) params.delete(key)
    else params.set(key, value)
    navigate(params.size === 0 ? path : `${path}?${params.toString()}`, { replace: true })
  }
  return [new URLSearchParams(search).get(key), set]
}

/** The URL in `text` if it is safe to link to (http or https), else null. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

const debounceMs = 300

/** Runs `effect` with a value that has not changed for 300 ms. */
export function useDebouncedEffect<Value>(value: Value, effect: (value: Value) => void): void {
  const run = useEffectEvent(effect)
  useEffect(() => {
    const timer = setTimeout(() => run(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
}

/**
 * Keeps the first visible row of a long table in the query parameter `row`, so that Back and a copied link return to
 * it. A view starts at the row that the address has when the view opens, or at the top if it has none. With
 * `isInAddress` false the parameter is ignored.
 */
export function useTablePlace(
  view: string,
  isInAddress = true,
): { start: number; onVisible: (first: number) => void } {
  const [text, setRow] = useAddressParam('row')
  const row = isInAddress ? text : null
  const [opened, setOpened] = useState(() => ({ view, start: readPlace(row) }))
  if (opened.view !== view) setOpened({ view, start: readPlace(row) })
  const [seen, setSeen] = useViewState<number | null>(view, null)
  // A place in another view means nothing in this one.
  useDebouncedEffect(seen, (place) => {
    if (isInAddress && place !== null && place !== readPlace(row)) setRow(place === 0 ? null : String(place))
  })
  return {
    start: opened.view === view ? opened.start : 0,
    onVisible: setSeen,
  }
}

function readPlace(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** The row that the address requests; a new object for each request. */
export interface RequestedRow {
  id: number | null
}

/** The top row of a list, in the query parameter `around`: Back and links scroll to it, and scrolling updates it. */
export function useRequestedRow(): { requested: RequestedRow; write: (id: number | null) => void } {
  const [text, setText] = useAddressParam('around')
  const written = useRef(text)
  const pending = useRef<RequestedRow | null>(null)
  const [requested, setRequested] = useState<RequestedRow>(() => ({ id: readId(text) }))
  useEffect(() => {
    // Written by scrolling here, so it is no request.
    if (text === written.current) return
    written.current = text
    pending.current = { id: readId(text) }
    setRequested(pending.current)
  }, [text])
  useEffect(() => {
    if (pending.current === requested) pending.current = null
  }, [requested])
  return {
    requested,
    write(id) {
      const next = id === null ? null : String(id)
      // Until the view shows the newly requested row, the visible one is still the previous one.
      if (pending.current !== null || next === written.current) return
      written.current = next
      setText(next)
    },
  }
}

export function readId(text: string | null): number | null {
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null
}
