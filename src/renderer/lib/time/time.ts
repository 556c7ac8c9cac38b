const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A duration: `48 min`, `26 h`, `2 d`. */
export function formatAge(ms: number): string {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / 1000))} s`
  if (ms < 90 * minute) return `${Math.floor(ms / minute)} min`
  if (ms < 48 * hour) return `${Math.floor(ms / hour)} h`
  return `${Math.floor(ms / day)} d`
}

/** `2 min 10 s`, `3 h 5 min`, `4 d 2 h` */
export function formatUptime(ms: number): string {
  const units: [number, string][] = [
    [Math.floor(ms / day), 'd'],
    [Math.floor(ms / hour) % 24, 'h'],
    [Math.floor(ms / minute) % 60, 'min'],
    [Math.floor(ms / 1000) % 60, 's'],
  ]
  const first = units.findIndex(([value]) => value > 0)
  if (first === -1) return '0 s'
  return units
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ')
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Time of day if today, with the weekday within six days, else the date, with the year unless it is this year. */
export function formatWhen(instant: string, now: number): string {
  const at = new Date(instant)
  const today = new Date(now)
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`
  if (at.toDateString() === today.toDateString()) return clock
  const age = now - at.getTime()
  if (age >= 0 && age < 6 * day) return `${weekdays[at.getDay()] ?? ''} ${clock}`
  return formatDate(instant, now)
}

/** `12 Oct`, with the year unless it is this year. */
export function formatDate(instant: string, now: number): string {
  const at = new Date(instant)
  const short = `${at.getDate()} ${months[at.getMonth()] ?? ''}`
  return at.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${at.getFullYear()}`
}

export const wholeMonths =
  'January February March April May June July August September October November December'.split(' ')

/** The month in which something began, `March` or `March 2025`; the date if it is this month. */
export function formatSince(instant: string, now: number): string {
  const at = new Date(instant)
  const today = new Date(now)
  const thisYear = at.getFullYear() === today.getFullYear()
  if (thisYear && at.getMonth() === today.getMonth()) return formatDate(instant, now)
  const month = wholeMonths[at.getMonth()] ?? ''
  return thisYear ? month : `${month} ${at.getFullYear()}`
}

/** `12 Oct 2026` */
export function formatFullDate(instant: string): string {
  const at = new Date(instant)
  return `${at.getDate()} ${months[at.getMonth()] ?? ''} ${at.getFullYear()}`
}

/** `10:42:07` */
export function formatClock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** `now`, `4 min ago`, `Thu 17:05`, `12 Oct` */
export function formatAgo(instant: string, now: number): string {
  const age = now - new Date(instant).getTime()
  if (age < minute) return 'now'
  return age < day ? `${formatAge(age)} ago` : formatWhen(instant, now)
}

/** The start of yesterday in local time. */
export function startOfYesterday(now: number): number {
  const today = new Date(now)
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime()
}

/** Time of day, with the date unless it is today: `10:12`, `12 Oct 14:03`. */
export function formatStamp(instant: string, now: number): string {
  const at = new Date(instant)
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`
  return at.toDateString() === new Date(now).toDateString() ? clock : `${formatDate(instant, now)} ${clock}`
}
