/** Converts the stored time of a past event to milliseconds since 1970. */
type ReadPastTime = (iso: string, now: Date) => number

/**
 * Reads the times of past events. A clock that once ran ahead leaves times in the future. So that nothing waits for
 * them, they count as the moment when the first of them was noticed.
 */
export function createPastTimes(): ReadPastTime {
  let noticedAt = Number.POSITIVE_INFINITY
  return (iso, now) => {
    const time = Date.parse(iso)
    if (time <= now.getTime()) return time
    noticedAt = Math.min(noticedAt, now.getTime())
    return noticedAt
  }
}
