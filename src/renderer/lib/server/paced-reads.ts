/** Milliseconds of the longest rest: a read that failed slowly must not keep the next one waiting for minutes. */
const longestRestMs = 15_000

/**
 * Reads a key each time it changes. A change during a read is read after it, once: something that changes faster than it
 * can be read would otherwise never be shown. After a read the key rests `restTimes` as long as the read took, 15 s at
 * most.
 */
export function createPacedReads(
  read: (key: string) => Promise<unknown>,
  restTimes: (key: string) => number,
): (key: string) => void {
  const busy = new Set<string>()
  const changed = new Set<string>()

  const readAgain = (key: string): void => {
    if (busy.has(key)) {
      changed.add(key)
      return
    }
    busy.add(key)
    const startedAt = performance.now()
    const release = (): void => {
      busy.delete(key)
      if (changed.delete(key)) readAgain(key)
    }
    void read(key).finally(() => {
      const restMs = Math.min(longestRestMs, restTimes(key) * (performance.now() - startedAt))
      if (restMs === 0) release()
      else setTimeout(release, restMs)
    })
  }
  return readAgain
}
