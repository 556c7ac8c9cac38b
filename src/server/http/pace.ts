/** Bytes per second that a transfer must average over a window. */
export const minimumRate = 4096

/** Milliseconds over which the average is taken. */
export const defaultPaceWindowMs = 30_000

/** How often a transfer is sampled within a window. */
const samplesPerWindow = 6

/**
 * Samples one transfer: takes the total of bytes so far and whether we are waiting for the other side. Returns true
 * if the other side was awaited for a whole window and stayed below the minimum rate.
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

/** Calls `sample` several times per window, until the returned function is called. */
export function samplePace(windowMs: number, sample: () => void): () => void {
  // If this process was paused, setImmediate lets it first receive what has arrived in the meantime.
  const timer = setInterval(() => setImmediate(sample), windowMs / samplesPerWindow)
  return () => clearInterval(timer)
}
