/** Bytes a second that a transfer must average over a window. */
export const minimumRate = 4096

/** Milliseconds over which the average is taken. */
export const defaultPaceWindowMs = 30_000

/** How often within a window a transfer is looked at. */
const looksPerWindow = 6

/**
 * Judges one transfer. At each look it is given the bytes that have passed so far and whether the other side is being
 * waited for; true means that the other side was waited for during a whole window and kept below the minimum rate.
 */
export type IsTooSlow = (bytes: number, isAwaited: boolean) => boolean

export function createPace(windowMs: number, clock = (): number => performance.now()): IsTooSlow {
  let start: { at: number; bytes: number } | null = null
  return (bytes, isAwaited) => {
    const now = clock()
    const seconds = start === null ? 0 : (now - start.at) / 1000
    if (isAwaited && start !== null && seconds * 1000 < windowMs) return false
    const tooSlow = isAwaited && start !== null && bytes - start.bytes < minimumRate * seconds
    start = isAwaited ? { at: now, bytes } : null
    return tooSlow
  }
}

/** Calls `look` several times in each window, until the returned function is called. */
export function lookAtPace(windowMs: number, look: () => void): () => void {
  // After a pause of this process, what has arrived meanwhile is received before anybody is judged.
  const timer = setInterval(() => setImmediate(look), windowMs / looksPerWindow)
  return () => clearInterval(timer)
}
