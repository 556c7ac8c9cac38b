/** `in 12 s`, `in 5 min`, `in 3 h 10 min (at 14:05)`, for a number of seconds. */
export function inTime(seconds: number, now = new Date()): string {
  if (seconds < 90) return `in ${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `in ${minutes} min`
  const then = new Date(now.getTime() + seconds * 1000)
  const clock = `${String(then.getHours()).padStart(2, '0')}:${String(then.getMinutes()).padStart(2, '0')}`
  return `in ${Math.floor(minutes / 60)} h ${minutes % 60} min (at ${clock})`
}
