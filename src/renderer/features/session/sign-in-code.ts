import { createStore } from '../../lib/state/store.ts'

/** The code of the link that opened this page, until it has been exchanged. It is kept in memory alone. */
export const signInCode = createStore<string | null>(takeCode())

/** Takes the code out of the address, so that neither a copied address nor the history holds it. */
function takeCode(): string | null {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return decodeURIComponent(code)
}

/** A link may also be pasted into the address of an open desk. */
export function watchForCode(): () => void {
  const look = (): void => {
    const code = takeCode()
    if (code !== null) signInCode.set(code)
  }
  window.addEventListener('hashchange', look)
  return () => window.removeEventListener('hashchange', look)
}
