import { bridge } from '../app/bridge.ts'
import { readLocal, writeLocal } from '../state/storage.ts'

/**
 * The key that every call of a signed-in desk sends. A browser stores it for this origin, port included, so that no
 * other service of this computer is sent it or can change it; the app keeps it itself.
 */
let held: string | null = null

/** Several data folders may be served on one port in turn: each has a key of its own. */
function storageName(): string {
  const installation = document.querySelector<HTMLMetaElement>('meta[name="skilldock-installation"]')?.content
  return `skilldock-desk-${installation ?? ''}`
}

/** Asks the app for the key that it kept. To be called before anything else is. */
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
  // Other tabs change what is stored; a copy is only needed where storage is closed to the page.
  if (readLocal(storageName()) === key) held = null
}

/** Headers that sign a request in; empty while nobody is signed in. */
export function sessionHeaders(): Record<string, string> {
  const key = held ?? (bridge === null ? readLocal(storageName()) : null)
  return key === null ? {} : { authorization: `Bearer ${key}` }
}
