import { randomBytes } from 'node:crypto'

export const secretPrefix = 'whsec_'
const secretBytes = 32
/** Milliseconds for which a replaced secret also signs. */
const overlapMs = 24 * 3_600_000

/** A secret of a webhook. Several are stored as JSON, encrypted. */
interface StoredSecret {
  secret: string
  /** Milliseconds since 1970; null for the current one. */
  until: number | null
}

export const newSecret = (): string => `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`

/** Those that sign now, the current one first. `stored` is one secret, until the first rotation. */
export function readSecrets(stored: string, now: number): StoredSecret[] {
  if (stored.startsWith(secretPrefix)) return [{ secret: stored, until: null }]
  return (JSON.parse(stored) as StoredSecret[]).filter(({ until }) => until === null || until > now)
}

/** Replaces the current secret, which signs for another day. */
export function rotateSecrets(stored: string, secret: string, now: number): string {
  const former = readSecrets(stored, now).map((one) => ({ ...one, until: one.until ?? now + overlapMs }))
  return JSON.stringify([{ secret, until: null }, ...former])
}
