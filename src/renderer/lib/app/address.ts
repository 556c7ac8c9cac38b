import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

/** A path with these parameters; null, empty and absent ones are left out. */
export function pathWith(path: string, params: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, String(value))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** Addresses that alerts and other windows are given begin with the desk's own base; the router's do not. */
export function inDesk(address: string): string {
  return address.startsWith('/desk/') ? address.slice('/desk'.length) : address
}

/** Replaces one parameter of the address and leaves the others; null takes it out. */
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

/** An address that a link may lead to, or null: only http and https do. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

const restMs = 300

/** Acts on a value once it has stayed the same for a while. */
export function useAtRest<Value>(value: Value, act: (value: Value) => void): void {
  const rested = useEffectEvent(act)
  useEffect(() => {
    const rest = setTimeout(() => rested(value), restMs)
    return () => clearTimeout(rest)
  }, [value])
}

/**
 * The place of a long table in the address, as `row`: Back and a copied link come to the same row. Another `view`
 * begins at its top; the one that the address was opened with at its row. A table that is not `kept` there begins at
 * its top.
 */
export function useTablePlace(view: string, kept = true): { start: number; look: (first: number) => void } {
  const [text, setRow] = useAddressParam('row')
  const row = kept ? text : null
  const [opened, setOpened] = useState(() => ({ view, start: readPlace(row) }))
  if (opened.view !== view) setOpened({ view, start: readPlace(row) })
  const [seen, setSeen] = useState<{ view: string; first: number } | null>(null)
  // The place in another view is none in this one.
  useAtRest(seen?.view === view ? seen.first : null, (place) => {
    if (kept && place !== null && place !== readPlace(row)) setRow(place === 0 ? null : String(place))
  })
  return {
    start: opened.view === view ? opened.start : 0,
    look: (first) => setSeen({ view, first }),
  }
}

function readPlace(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** A row that the address asks for; another object each time that it asks again. */
export interface AskedRow {
  id: number | null
}

/** The row at the upper edge, as `around` in the address: Back and links come to it, and scrolling writes it. */
export function useAskedRow(): { asked: AskedRow; write: (id: number | null) => void } {
  const [text, setText] = useAddressParam('around')
  const written = useRef(text)
  const asking = useRef<AskedRow | null>(null)
  const [asked, setAsked] = useState<AskedRow>(() => ({ id: readId(text) }))
  useEffect(() => {
    // What was written here from scrolling asks for nothing.
    if (text === written.current) return
    written.current = text
    asking.current = { id: readId(text) }
    setAsked(asking.current)
  }, [text])
  useEffect(() => {
    if (asking.current === asked) asking.current = null
  }, [asked])
  return {
    asked,
    write(id) {
      const next = id === null ? null : String(id)
      // Before the view knows of another row that is asked for, the one in sight is still that of before.
      if (asking.current !== null || next === written.current) return
      written.current = next
      setText(next)
    },
  }
}

export function readId(text: string | null): number | null {
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null
}
