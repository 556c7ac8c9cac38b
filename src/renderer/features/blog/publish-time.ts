/** The value of a `datetime-local` field, in the time of this computer. */
export function toLocalField(instant: string): string {
  const at = new Date(instant)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The instant that such a field means; null where it means none. */
export function fromLocalField(value: string): string | null {
  const at = new Date(value)
  return value === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** Why a post cannot become public at this time; null where it can. */
export function timeProblem(value: string, now: number): string | null {
  const instant = fromLocalField(value)
  if (instant === null) return 'Give it a day and a time.'
  return Date.parse(instant) <= now ? 'That time is over.' : null
}

/** Tomorrow at nine, which is what most mean. */
export function proposedTime(now: number): string {
  const today = new Date(now)
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, 9).toISOString()
}
