import { useEffect, useRef, useState } from 'react'
import { useAddressParam } from './view-address.ts'

/** A row that the address asks for; another object each time that it is asked for anew. */
export interface AskedRow {
  id: number | null
}

/** The row at the upper edge, as `around` in the address: Back and links come to it, and scrolling writes it. */
export function useAskedRow(): { asked: AskedRow; write: (id: number | null) => void } {
  const [text, setText] = useAddressParam('around')
  const written = useRef(text)
  const [asked, setAsked] = useState<AskedRow>(() => ({ id: readId(text) }))
  useEffect(() => {
    // What was written here from scrolling asks for nothing.
    if (text === written.current) return
    written.current = text
    setAsked({ id: readId(text) })
  }, [text])
  return {
    asked,
    write(id) {
      const next = id === null ? null : String(id)
      if (next === written.current) return
      written.current = next
      setText(next)
    },
  }
}

export function readId(text: string | null): number | null {
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null
}
