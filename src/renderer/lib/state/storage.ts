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
