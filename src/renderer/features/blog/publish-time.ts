import { texts } from './blog.texts.ts'

/** The value of a `datetime-local` field, in the local time zone. */
export function toLocalField(instant: string): string {
  const at = new Date(instant)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The ISO instant of a `datetime-local` value; null if it is empty or invalid. */
export function fromLocalField(value: string): string | null {
  const at = new Date(value)
  return value === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** Why a post cannot be scheduled for this time; null if it can. */
export function timeProblem(value: string, now: number): string | null {
  const instant = fromLocalField(value)
  if (instant === null) return texts.publish.timeMissing
  return Date.parse(instant) <= now ? texts.publish.timePast : null
}

/** The default of the field: tomorrow at nine. */
export function proposedTime(now: number): string {
  const today = new Date(now)
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, 9).toISOString()
}
