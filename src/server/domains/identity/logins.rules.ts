import { randomInt } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { DeskLogin } from '../../../shared/contracts/logins.ts'
import { isLoopbackName, plainAddress } from '../../../shared/network-address.ts'
import { userCodeLetters } from '../../../shared/user-code.ts'
import { createFailureLimit, makeSecret } from './sessions.rules.ts'

/** Milliseconds until a code expires. */
export const loginLifeMs = 10 * 60_000

/** Seconds that a terminal waits between polls. */
export const pollSeconds = 2
/** Milliseconds by which a poll may be early, because network latency varies. */
const earlyMs = 250

/** Limits for all stored logins, and for open ones from one network. */
export const maxLogins = 1000
export const maxLoginsPerNetwork = 20

/** Wrong codes per minute for a person in the desk or for a network. */
const wrongCodesPerMinute = 20

/** The secret code of a terminal (256 random bits) and the short code that people compare. Only hashes are stored. */
export function makeCodes(): { deviceCode: string; userCode: string } {
  const letters = Array.from({ length: 8 }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join('')
  return { deviceCode: makeSecret(), userCode: `${letters.slice(0, 4)}-${letters.slice(4)}` }
}

export const isTooEarly = (polledAt: number | null, now: number): boolean =>
  polledAt !== null && now - polledAt < pollSeconds * 1000 - earlyMs

/** Where a request came from. */
export interface Origin {
  /** The client's address, as reported by trusted proxies. */
  address: string
  headers: IncomingHttpHeaders
}

/** How clients reach the registry. */
export interface NetworkSetup {
  /** The addresses of this computer, except loopback. */
  ownAddresses: readonly string[]
  /** Whether connections from this computer may carry requests of others, because there is or must be a proxy. */
  isProxied: boolean
  /** Whether a `Host` header names the registry. */
  isOwnHost(host: string | undefined): boolean
}

/** Headers added by proxies, and `origin` by browsers. A terminal sends none of them. */
const indirectHeaders = [
  'origin',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

/**
 * Whether a login was started on this computer. Only a direct connection to one of the registry's host names counts.
 */
export function placeOf({ address, headers }: Origin, network: NetworkSetup): DeskLogin['place'] {
  const plain = plainAddress(address)
  const isOwn =
    plain.startsWith('127.') || plain === '::1' || network.ownAddresses.map(plainAddress).includes(plain)
  if (!isOwn) return plain === '' ? 'unknown' : 'elsewhere'
  const isDirect = !network.isProxied && indirectHeaders.every((name) => headers[name] === undefined)
  return isDirect && network.isOwnHost(headers.host) ? 'here' : 'unknown'
}

/** Whether a public URL has a host other than this computer's loopback names. */
export function isPublicHost(url: string | null): boolean {
  return url !== null && !isLoopbackName(new URL(url).hostname)
}

/** Maximum number of keys. All are dropped when it is reached, which costs an attacker that many addresses. */
const maxKeys = 10_000

/** `createFailureLimit` per key. */
export function createGuessLimit(limit = wrongCodesPerMinute, windowMs = 60_000) {
  const limits = new Map<string, ReturnType<typeof createFailureLimit>>()
  return {
    record(key: string, now: number): void {
      if (limits.size >= maxKeys) limits.clear()
      const own = limits.get(key) ?? createFailureLimit(limit, windowMs)
      own.record(now)
      limits.set(key, own)
    },
    /** Seconds to wait, or null. */
    wait: (key: string, now: number): number | null => limits.get(key)?.wait(now) ?? null,
  }
}
