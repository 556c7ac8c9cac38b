const hourMs = 3_600_000

/** Networks that are remembered at most; the longest silent one is forgotten first. */
const rememberedNetworks = 100_000

/**
 * What counts as one address. Whoever has an address of the sixth version has its whole network of 64 bits, and one of
 * the fourth version may be written as one of the sixth.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)[0] ?? ''
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

export interface ConcurrencyLimit {
  /** Takes one place and gives what frees it, once; null where all of this key are taken. */
  take(key: string): (() => void) | null
}

/** At most `limit` of each key at once. */
export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const taken = new Map<string, number>()
  return {
    take(key) {
      const count = taken.get(key) ?? 0
      if (count >= limit) return null
      taken.set(key, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      }
    },
  }
}

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
      if (times.size > rememberedNetworks && oldest !== undefined) times.delete(oldest)
      if (!isFull) return 0
      return blocking === undefined ? hourMs / 1000 : Math.max(1, Math.ceil((blocking + hourMs - now) / 1000))
    },
  }
}
