import { bridge } from '../app/bridge.ts'
import { installation, readLocal, writeLocal } from '../state/storage.ts'

/**
 * The key that a signed-in desk sends with every request. A browser stores it per origin, including the port, so that
 * other services on this computer neither receive nor change it. The app stores it itself. The remote desk has none: its session
 * is in a cookie.
 */
let held: string | null = null

const storageName = (): string => `skilldock-desk-${installation()}`

/** Loads the key that the app has stored. Must run before the first request. */
export async function loadSessionKey(): Promise<void> {
  if (bridge !== null) held = await bridge.session.get()
}

export function setSessionKey(key: string | null): void {
  held = key
  if (bridge !== null) {
    void bridge.session.set({ key })
    return
  }
  writeLocal(storageName(), key)
  // Other tabs may change the stored key, so a copy is used only if storage is blocked.
  if (readLocal(storageName()) === key) held = null
}

/** Authorization headers; empty while signed out. */
export function sessionHeaders(): Record<string, string> {
  const key = held ?? (bridge === null ? readLocal(storageName()) : null)
  return key === null ? {} : { authorization: `Bearer ${key}` }
}
