import { months, weekdays, wholeMonths } from '../../lib/time/time.ts'

// Times of an agent project are shown in UTC, as they are stored.
export const dayMs = 86_400_000

/** `2026-11-20` */
export function isoDay(instant: string | number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** `10:42:07` */
export function utcClock(instant: string | number): string {
  return new Date(instant).toISOString().slice(11, 19)
}

/** `12 Oct`, with the year if it is not the current one. */
export function utcDay(instant: string | number, now: number): string {
  const at = new Date(instant)
  const short = `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''}`
  return at.getUTCFullYear() === new Date(now).getUTCFullYear() ? short : `${short} ${at.getUTCFullYear()}`
}

/** `November` */
export function utcMonth(instant: string | number): string {
  return wholeMonths[new Date(instant).getUTCMonth()] ?? ''
}

/** The clock time today, `Wed 16:20` within seven days, otherwise the date. */
export function utcWhen(instant: string, now: number): string {
  if (isoDay(instant) === isoDay(now)) return utcClock(instant)
  const age = now - Date.parse(instant)
  if (age < 0 || age >= 6 * dayMs) return utcDay(instant, now)
  return `${weekdays[new Date(instant).getUTCDay()] ?? ''} ${utcClock(instant).slice(0, 5)}`
}
