// What agents have written is told in UTC, as they wrote it.
const day = 86_400_000

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `10:42:07` */
export function utcClock(instant: string | number): string {
  return new Date(instant).toISOString().slice(11, 19)
}

/** `12 Oct`, and with its year where that is another. */
export function utcDay(instant: string | number, now: number): string {
  const at = new Date(instant)
  const short = `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''}`
  return at.getUTCFullYear() === new Date(now).getUTCFullYear() ? short : `${short} ${at.getUTCFullYear()}`
}

const wholeMonths =
  'January February March April May June July August September October November December'.split(' ')

/** `November` */
export function utcMonth(instant: number): string {
  return wholeMonths[new Date(instant).getUTCMonth()] ?? ''
}

/** The clock today, `Wed 16:20` within seven days, else the date. */
export function utcWhen(instant: string, now: number): string {
  const at = new Date(instant)
  if (at.toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10)) return utcClock(instant)
  const age = now - at.getTime()
  if (age < 0 || age >= 6 * day) return utcDay(instant, now)
  return `${weekdays[at.getUTCDay()] ?? ''} ${at.toISOString().slice(11, 16)}`
}
