import { createHash, randomBytes } from 'node:crypto'
import type { Person, Role } from '../../../shared/contracts/people.ts'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { builtInIssuer } from './identity.rules.ts'

/** Milliseconds. A session expires after 30 days without use, a code after five minutes (rulings, "Desk"). */
export const sessionLifeMs = 30 * 24 * 3600 * 1000
export const codeLifeMs = 5 * 60_000

/** Minimum interval between updates of a session's last use. */
export const useUpdateMs = 60_000

/** 256 random bits for a session key or sign-in code. Only its hash is stored. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The session key in an `Authorization` header, or null if it contains none. */
export function readSessionKey(authorization: string | undefined): string | null {
  return /^bearer +([A-Za-z0-9_-]{43})$/i.exec(authorization ?? '')?.[1] ?? null
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bElectron\//, 'Skilldock app'],
  [/\bEdg\//, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The label of a session in lists, such as `Firefox on Linux`. */
export function sessionLabel(userAgent: string | undefined): string {
  const find = (known: typeof browsers): string | undefined =>
    known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = find(browsers) ?? 'unknown browser'
  const system = find(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Whether a desk is the one in the app. */
export const deskChannel = (userAgent: string | undefined): 'app' | 'desk' =>
  /\bElectron\//.test(userAgent ?? '') ? 'app' : 'desk'

export function toDeskPerson(person: {
  id: number
  subject: string
  name: string | null
  role: Role
}): DeskPerson {
  return { id: person.id, subject: person.subject, name: person.name, role: person.role }
}

export function isBuiltIn(person: Pick<Person, 'issuer'>): boolean {
  return person.issuer === builtInIssuer
}

/** Allows at most `limit` failures in any window of `windowMs`; `wait` returns the seconds to wait, or null. */
export function createFailureLimit(limit: number, windowMs: number) {
  let failures: number[] = []
  return {
    record(now: number): void {
      failures = [...failures, now].slice(-limit)
    },
    wait(now: number): number | null {
      const oldest = failures[0]
      if (failures.length < limit || oldest === undefined || now - oldest >= windowMs) return null
      return Math.ceil((oldest + windowMs - now) / 1000)
    },
  }
}
