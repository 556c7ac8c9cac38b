import { useEffect, useEffectEvent, useState } from 'react'
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

const restMs = 300
/** So many rows before the first one in sight are in the document as well. */
const overscan = 6

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
  const write = useEffectEvent((place: number) => {
    if (kept && place !== readPlace(row)) setRow(place === 0 ? null : String(place))
  })
  useEffect(() => {
    // The place in another view is none in this one.
    if (seen?.view !== view) return undefined
    const rest = setTimeout(() => write(seen.first === 0 ? 0 : seen.first + overscan), restMs)
    return () => clearTimeout(rest)
  }, [seen, view])
  return {
    start: opened.view === view ? opened.start : 0,
    look: (first) => setSeen({ view, first }),
  }
}

function readPlace(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
}
