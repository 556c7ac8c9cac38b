/** Milliseconds for which a delivery is tried. */
export const tryForMs = 86_400_000
const maxDelayMs = 4 * 3_600_000
const factor = 4

export interface RetryPolicy {
  /** Milliseconds before the second attempt, on average. */
  baseMs: number
  /** Returns a number from 0 to 1, as `Math.random` does. */
  random(): number
}

/**
 * When a delivery that was created at `createdAt` is tried again after `attempts` failed attempts, in milliseconds since
 * 1970; null if not within a day. The delays grow up to four hours and vary by half, so that deliveries that failed
 * together are not tried together.
 */
export function nextAttempt(
  {
    attempts,
    createdAt,
    now,
    notBeforeMs,
  }: { attempts: number; createdAt: number; now: number; notBeforeMs: number },
  { baseMs, random }: RetryPolicy,
): number | null {
  const delay = Math.min(maxDelayMs, baseMs * factor ** (attempts - 1)) * (0.5 + random())
  const next = now + Math.max(Math.round(delay), notBeforeMs)
  return next < createdAt + tryForMs ? next : null
}
