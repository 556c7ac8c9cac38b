import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `90s`, `30m`, `2h`; seconds where no unit stands there. Throws for anything else. */
export function readDuration(option: string, text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? []
  const ms = Number(digits) * (units[unit] ?? 0)
  // Longer than a timer can wait.
  if (ms > 0 && ms <= 7 * 24 * 3_600_000) return ms
  throw new ClientError(exitCodes.usage, `${option} is a time such as 90s, 30m or 2h, at most a week.`, {
    code: 'USAGE',
  })
}
