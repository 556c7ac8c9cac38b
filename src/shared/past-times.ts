/** Milliseconds since 1970 of a stored time of something that has happened. */
export type ReadPastTime = (iso: string, now: Date) => number

/**
 * Reads the times of things that have happened. A clock that once ran ahead leaves times in the future, and waiting
 * for them would take until the clock gets there; they count as the moment at which the first of them was noticed.
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
