import { randomInt } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { DeskLogin } from '../../../shared/contracts/logins.ts'
import { plainAddress } from '../../../shared/network-address.ts'
import { userCodeLetters } from '../../../shared/user-code.ts'
import { createFailureLimit, hashOf, makeSecret } from './sessions.rules.ts'

/** Milliseconds after which a code counts no more. */
export const loginLifeMs = 10 * 60_000

/** Seconds that a terminal waits between two questions. */
export const askSeconds = 2
/** Milliseconds by which a question may be early: two of them are not on their way for the same time. */
const earlyMs = 250

/** Logins that are remembered at once, and those of one address that wait. */
export const mostLogins = 1000
export const mostOfOneNetwork = 20

/** Wrong codes in a minute, of a person at the desk and of an address. */
export const wrongCodesAMinute = 20

/** The code of a terminal, 256 random bits, and the one that people compare; of both only `hashOfCode` is kept. */
export function makeCodes(): { deviceCode: string; userCode: string } {
  const letters = Array.from({ length: 8 }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join('')
  return { deviceCode: makeSecret(), userCode: `${letters.slice(0, 4)}-${letters.slice(4)}` }
}

export const hashOfCode = (code: string): string => hashOf(code)

export const isTooEarly = (askedAt: number | null, now: number): boolean =>
  askedAt !== null && now - askedAt < askSeconds * 1000 - earlyMs

/** What a request says of where it came from. */
export interface Origin {
  /** Of the client, as far as trusted proxies tell it. */
  address: string
  headers: IncomingHttpHeaders
}

/** What is known of the registry's way to its clients. */
export interface Way {
  /** The addresses of this computer besides loopback. */
  ownAddresses: readonly string[]
  /** Whether a connection from this computer may carry the requests of others: there is or must be a proxy. */
  isProxied: boolean
  /** Whether a `Host` header names the registry. */
  isOwnHost(host: string | undefined): boolean
}

/** Added by proxies, and `origin` by browsers; a terminal sends none of them. */
const indirect = [
  'origin',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

/** Whether a login was started on this computer. Only a direct connection to a name of the registry counts as that. */
export function placeOf({ address, headers }: Origin, way: Way): DeskLogin['place'] {
  const plain = plainAddress(address)
  const isOwn =
    plain.startsWith('127.') || plain === '::1' || way.ownAddresses.map(plainAddress).includes(plain)
  if (!isOwn) return plain === '' ? 'unknown' : 'elsewhere'
  const isDirect = !way.isProxied && indirect.every((name) => headers[name] === undefined)
  return isDirect && way.isOwnHost(headers.host) ? 'here' : 'unknown'
}

/** Whether a public address names another host than this computer by its loopback names. */
export function isPublicHost(url: string | null): boolean {
  if (url === null) return false
  return !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname)
}

/** Keys that are remembered at most; with more all are forgotten, which costs an attacker as many addresses. */
const mostKeys = 10_000

/** `createFailureLimit` for each key: at most so many wrong codes in a minute. */
export function createGuessLimit(limit = wrongCodesAMinute, windowMs = 60_000) {
  const limits = new Map<string, ReturnType<typeof createFailureLimit>>()
  return {
    note(key: string, now: number): void {
      if (limits.size >= mostKeys) limits.clear()
      const own = limits.get(key) ?? createFailureLimit(limit, windowMs)
      own.note(now)
      limits.set(key, own)
    },
    /** The seconds to wait, or null. */
    wait: (key: string, now: number): number | null => limits.get(key)?.wait(now) ?? null,
  }
}
