import { usageError } from '../client-error.ts'
import { texts } from './terminal.texts.ts'

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 }

/** A week, which is below the longest delay of a timer. */
export const maxDurationMs = 7 * 24 * 3_600_000

/** Parses `90s`, `30m` or `2h` (seconds without a unit) to milliseconds. Throws for anything else. */
export function readDuration(option: string, text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? []
  const ms = Number(digits) * (units[unit] ?? 0)
  if (ms > 0 && ms <= maxDurationMs) return ms
  throw usageError(texts.duration(option))
}
