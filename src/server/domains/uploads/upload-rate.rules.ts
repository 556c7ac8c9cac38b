const hourMs = 3_600_000

/** Maximum number of clients. The least recently active one is dropped first. */
const maxClients = 100_000

/** Allows at most `currentLimit()` per key in any sliding hour. */
export function createHourlyLimit(currentLimit: () => number) {
  const times = new Map<string, number[]>()
  return {
    /**
     * Counts one and returns 0, or, if the limit has been reached, returns the seconds until the next one is allowed.
     * `now` is in milliseconds of a monotonic clock such as `performance.now()`.
     */
    count(key: string, now: number): number {
      const recent = (times.get(key) ?? []).filter((time) => time > now - hourMs)
      times.delete(key)
      const limit = currentLimit()
      const blocking = recent.at(-limit)
      const isFull = recent.length >= limit
      if (!isFull) recent.push(now)
      // Re-added at the end of the map, so that the least recently active client is first.
      if (recent.length > 0) times.set(key, recent)
      const oldest = times.keys().next().value
      if (times.size > maxClients && oldest !== undefined) times.delete(oldest)
      if (!isFull) return 0
      return blocking === undefined ? hourMs / 1000 : Math.max(1, Math.ceil((blocking + hourMs - now) / 1000))
    },
  }
}
