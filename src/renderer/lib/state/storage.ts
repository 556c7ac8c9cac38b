/**
 * Names this data folder. Different ones may be served on the same port, one after the other, and would read each other's
 * values.
 */
export const installation = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="skilldock-installation"]')?.content ?? ''

let draftOwner = ''

/** Keeps the drafts of the signed-in person, in this registry, from others who use the same browser after them. */
export function setDraftOwner(personId: number): void {
  draftOwner = `${installation()}-${personId}`
}

/** Names the signed-in person, in this registry. */
export const readDraftOwner = (): string => draftOwner

/** The storage key of a draft of the signed-in person. */
export const draftKey = (prefix: string, name: number | string): string => `${prefix}${draftOwner}-${name}`

/** Reads from the storage of this tab; null if the key is missing or storage is blocked. */
export function readSession(key: string): string | null {
  return attempt(() => sessionStorage.getItem(key))
}

export function writeSession(key: string, value: string | null): void {
  attempt(() => (value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value)))
}

/** Reads from the storage of this browser; null if the key is missing or storage is blocked. */
export function readLocal(key: string): string | null {
  return attempt(() => localStorage.getItem(key))
}

export function writeLocal(key: string, value: string | null): void {
  attempt(() => (value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value)))
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
