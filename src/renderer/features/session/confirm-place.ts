import { useSyncExternalStore } from 'react'
import { readUserCode } from '../../../shared/user-code.ts'
import { readLocal, writeLocal } from '../../lib/state/storage.ts'

/** Where a terminal is confirmed; its code stands in the fragment, which no server sees. */
export const confirmPath = '/confirm'

const key = 'skilldock-confirm'
/** Milliseconds that a code counts, and that the way back to it is kept. */
const keptMs = 10 * 60_000

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** What stands behind the `#` of the address. */
export const useFragment = (): string => useSyncExternalStore(subscribe, () => location.hash.slice(1))

/** Whoever has to sign in first comes back by another link, mostly in another tab of this browser. */
export function keepConfirmPlace(code: string): void {
  writeLocal(key, JSON.stringify({ code, at: Date.now() }))
}

/** The address of the confirmation that waits for whoever has just signed in, once; null where none does. */
export function takeConfirmPlace(): string | null {
  const kept = readLocal(key)
  if (kept === null) return null
  writeLocal(key, null)
  const code = codeOf(kept)
  return code === null ? null : `/desk${confirmPath}#${code}`
}

function codeOf(kept: string): string | null {
  try {
    const { code, at } = JSON.parse(kept) as { code?: unknown; at?: unknown }
    const age = Date.now() - Number(at)
    return typeof code === 'string' && age >= 0 && age < keptMs ? readUserCode(code) : null
  } catch {
    return null
  }
}
