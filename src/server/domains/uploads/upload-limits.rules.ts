const hourMs = 3_600_000

/** Clients that are remembered; the one that has been silent for longest is forgotten first. */
const rememberedClients = 100_000

export interface HourlyLimit {
  /**
   * Counts one; gives 0, or the seconds after which there is room again, and then counts nothing. `now` is in
   * milliseconds of a clock that is never set back, such as `performance.now()`.
   */
  count(key: string, now: number): number
}

/** At most `limitNow()` of each key within any hour that rolls. */
export function createHourlyLimit(limitNow: () => number): HourlyLimit {
  const times = new Map<string, number[]>()
  return {
    count(key, now) {
      const recent = (times.get(key) ?? []).filter((time) => time > now - hourMs)
      times.delete(key)
      const limit = limitNow()
      const blocking = recent.at(-limit)
      const isFull = recent.length >= limit
      if (!isFull) recent.push(now)
      // At the end of the map: what was used last is forgotten last.
      if (recent.length > 0) times.set(key, recent)
      const oldest = times.keys().next().value
      if (times.size > rememberedClients && oldest !== undefined) times.delete(oldest)
      if (!isFull) return 0
      return blocking === undefined ? hourMs / 1000 : Math.max(1, Math.ceil((blocking + hourMs - now) / 1000))
    },
  }
}
