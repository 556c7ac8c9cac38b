import { createStore } from '../../lib/state/store.ts'

/** The code of the sign-in link that opened this page, until it has been exchanged. Kept in memory only. */
export const signInCode = createStore<string | null>(takeCode())

/** Removes the code from the URL, so that neither a copied URL nor the history contains it. */
function takeCode(): string | null {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

/** Handles a sign-in link that is pasted into the address bar of an open desk. */
export function watchForCode(): () => void {
  const update = (): void => {
    const code = takeCode()
    if (code !== null) signInCode.set(code)
  }
  window.addEventListener('hashchange', update)
  return () => window.removeEventListener('hashchange', update)
}
