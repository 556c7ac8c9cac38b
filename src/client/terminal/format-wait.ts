/** `in 12 s`, `in 5 min (at 14:05)`, `in 3 h 10 min (at 01:15 tomorrow)`, for a number of seconds. */
export function formatWait(seconds: number, now = new Date()): string {
  if (seconds < 90) return `in ${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const span = hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
  return `in ${span} (at ${clockOf(new Date(now.getTime() + minutes * 60_000), now)})`
}

const padded = (value: number): string => String(value).padStart(2, '0')

function clockOf(then: Date, now: Date): string {
  const clock = `${padded(then.getHours())}:${padded(then.getMinutes())}`
  const inDays = (days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  if (then < inDays(1)) return clock
  if (then < inDays(2)) return `${clock} tomorrow`
  return `${clock} on ${then.getFullYear()}-${padded(then.getMonth() + 1)}-${padded(then.getDate())}`
}
