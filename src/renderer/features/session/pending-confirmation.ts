import { useSyncExternalStore } from 'react'
import { readUserCode } from '../../../shared/user-code.ts'
import { readLocal, writeLocal } from '../../lib/state/storage.ts'

/** The path of the confirmation page. The code is in the fragment, which browsers do not send to servers. */
export const confirmPath = '/confirm'

const key = 'skilldock-confirm'
/** Milliseconds until a code expires, and with it the pending confirmation. */
const lifetimeMs = 10 * 60_000

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** The URL's fragment, without the `#`. */
export const useFragment = (): string => useSyncExternalStore(subscribe, () => location.hash.slice(1))

/** Remembers a confirmation while the person signs in, which usually happens in another tab of the same browser. */
export function savePendingConfirmation(code: string): void {
  writeLocal(key, JSON.stringify({ code, at: Date.now() }))
}

/** Returns the path of a pending confirmation and forgets it; null without one. */
export function takePendingConfirmation(): string | null {
  const saved = readLocal(key)
  if (saved === null) return null
  writeLocal(key, null)
  const code = codeOf(saved)
  return code === null ? null : `/desk${confirmPath}#${code}`
}

function codeOf(saved: string): string | null {
  try {
    const { code, at } = JSON.parse(saved) as { code?: unknown; at?: unknown }
    const age = Date.now() - Number(at)
    return typeof code === 'string' && age >= 0 && age < lifetimeMs ? readUserCode(code) : null
  } catch {
    return null
  }
}
