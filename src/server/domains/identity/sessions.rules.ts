import { createHash, randomBytes } from 'node:crypto'
import type { Person } from '../../../shared/contracts/people.ts'
import { sessionCookieName } from '../../../shared/contracts/desk-session.ts'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { builtInIssuer } from './identity.rules.ts'

const hourMs = 3600 * 1000

/** Milliseconds. A session expires after 30 days without use (rulings, "Desk"). */
const localIdleMs = 30 * 24 * hourMs
/** A session of the remote desk expires after this time without use, and after this time in any case (decision 024). */
const remoteIdleMs = 12 * hourMs
const remoteLifeMs = 7 * 24 * hourMs

/** Milliseconds. The code of a sign-in link expires after five minutes (rulings, "Desk"). */
export const codeLifeMs = 5 * 60_000

/** Minimum interval between updates of the last use of a session or token. */
export const useUpdateMs = 60_000

/** When a session expires if it is not used after `now`. All times are in milliseconds since 1970. */
export function sessionEnd(remote: boolean, createdAt: number, now: number): number {
  return remote ? Math.min(now + remoteIdleMs, createdAt + remoteLifeMs) : now + localIdleMs
}

/** A remote session that was created while the clock was ahead is not valid for longer than others. */
export function isWithinLife(remote: boolean, createdAt: number, now: number): boolean {
  return !remote || (now - createdAt < remoteLifeMs && createdAt - now < useUpdateMs)
}

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

const cookieRules = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** The value of a cookie; null if it is missing, sent twice, or not base64url. */
function readCookie(cookie: string | undefined, name: string): string | null {
  const values = (cookie ?? '').split(/; */).filter((one) => one.startsWith(`${name}=`))
  const [value] = values
  if (value === undefined || values.length > 1) return null
  return /^[A-Za-z0-9_-]+$/.exec(value.slice(name.length + 1))?.[0] ?? null
}

/** The session key in a `Cookie` header, or null if it contains none or several. */
export function readSessionCookie(cookie: string | undefined): string | null {
  const key = readCookie(cookie, sessionCookieName)
  return key?.length === 43 ? key : null
}

export const setSessionCookie = (key: string): string =>
  `${sessionCookieName}=${key}; ${cookieRules}; Max-Age=${remoteLifeMs / 1000}`
export const removeSessionCookie = `${sessionCookieName}=; ${cookieRules}; Max-Age=0`

/** The cookie of a browser while a person signs in at an identity provider. */
const attemptCookie = '__Host-skilldock-sign-in'
/** Milliseconds in which people sign in at the provider. */
export const attemptLifeMs = 10 * 60_000
export const readAttemptCookie = (cookie: string | undefined): string | null =>
  readCookie(cookie, attemptCookie)
export const setAttemptCookie = (attempt: string): string =>
  `${attemptCookie}=${attempt}; ${cookieRules}; Max-Age=${attemptLifeMs / 1000}`

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

/** Without what else is known about the person. */
export function toDeskPerson({ id, subject, name, role }: DeskPerson): DeskPerson {
  return { id, subject, name, role }
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
