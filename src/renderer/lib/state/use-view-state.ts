import { useState } from 'react'

/** State of one view of a component; another view begins with `initial`. */
export function useViewState<Value>(view: string, initial: Value): [Value, (value: Value) => void] {
  const [stored, setStored] = useState({ view, value: initial })
  return [stored.view === view ? stored.value : initial, (value) => setStored({ view, value })]
}
