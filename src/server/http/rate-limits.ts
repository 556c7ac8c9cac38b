import type { ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { RateLimitName } from '../../shared/route.ts'
import { addHeader } from './response-head.ts'
import { texts } from './http.texts.ts'

/** A token bucket: `quota` requests at once, and as many again in every `windowSeconds`. */
interface RateLimitPolicy {
  quota: number
  windowSeconds: number
}

/** What a client may still do under one limit. */
export interface LimitState extends RateLimitPolicy {
  name: string
  /** Requests that are allowed now. */
  left: number
  /** Seconds until more are. */
  seconds: number
}

const policyItem = (name: string, { quota, windowSeconds }: RateLimitPolicy): string =>
  `"${name}";q=${quota};w=${windowSeconds}`
const stateItem = (name: string, left: number, seconds: number): string => `"${name}";r=${left};t=${seconds}`

/** The fields of the draft "RateLimit header fields for HTTP" of the IETF's httpapi working group, which are lists. */
type LimitFields = Record<'RateLimit-Policy' | 'RateLimit', string>

function addFields(res: ServerResponse, fields: LimitFields): void {
  for (const [name, value] of Object.entries(fields)) addHeader(res, name, value)
}

/** Adds a limit to those that the response describes. */
export function describeLimit(res: ServerResponse, limit: LimitState): void {
  addFields(res, {
    'RateLimit-Policy': policyItem(limit.name, limit),
    RateLimit: stateItem(limit.name, limit.left, limit.seconds),
  })
}

/** Replaces some of the limits, for tests. */
export type RateLimitChanges = Partial<Record<LimitName, RateLimitPolicy>>

/** `token` counts only requests whose token is refused, all others count every request. */
type LimitName = RateLimitName | 'token'

/**
 * For each client. Far above what people and programs need, because many may share an address (decision 022). Uploads and
 * submissions also have smaller limits of their own.
 */
const policies: Record<LimitName, RateLimitPolicy> = {
  search: { quota: 60_000, windowSeconds: 1200 },
  login: { quota: 3000, windowSeconds: 300 },
  signIn: { quota: 300, windowSeconds: 300 },
  submission: { quota: 6000, windowSeconds: 3600 },
  token: { quota: 3000, windowSeconds: 300 },
}

/** How much more than one client all clients of the surrounding /24 (IPv6: /48) may do together. */
const prefixFactor = 8

/** Clients and prefixes that one limit remembers. */
const maxBuckets = 16_384

interface Bucket {
  key: string
  level: number
  /** When the level was calculated, in milliseconds of a monotonic clock. */
  at: number
  /** Used since `createBuckets` last looked for a bucket to reassign. */
  isRecent: boolean
}

type FindBucket = (key: string, now: number) => Bucket

/**
 * If there are too many buckets, a new client takes over one that has not been used recently, with its level, so that no client gets
 * a full bucket by coming from more addresses than are remembered. (A `Map` in order of use would take time proportional to
 * its size to find the oldest entry.)
 */
function createBuckets({ quota, windowSeconds }: RateLimitPolicy): FindBucket {
  const byKey = new Map<string, Bucket>()
  const buckets: Bucket[] = []
  const perMs = quota / (windowSeconds * 1000)
  let next = 0

  const takeOver = (): Bucket => {
    for (;;) {
      const bucket = buckets[next] as Bucket
      next = (next + 1) % maxBuckets
      if (!bucket.isRecent) return bucket
      bucket.isRecent = false
    }
  }

  const assign = (key: string, now: number): Bucket => {
    const isFull = buckets.length >= maxBuckets
    const bucket = isFull ? takeOver() : { key, level: quota, at: now, isRecent: false }
    if (isFull) byKey.delete(bucket.key)
    else buckets.push(bucket)
    bucket.key = key
    byKey.set(key, bucket)
    return bucket
  }

  return (key, now) => {
    const bucket = byKey.get(key) ?? assign(key, now)
    bucket.level = Math.min(quota, bucket.level + (now - bucket.at) * perMs)
    bucket.at = now
    bucket.isRecent = true
    return bucket
  }
}

/** The surrounding /24 of an IPv4 address, or /48 of an IPv6 network, as `networkOf` returns them. */
const prefixOf = (network: string): string =>
  network.slice(0, Math.max(0, network.lastIndexOf('.'), network.lastIndexOf(':')))

interface RateLimit {
  /** Counts one request, unless the limit has been reached. */
  take(network: string, now: number): RateLimitState
  /** The same without counting. */
  look(network: string, now: number): RateLimitState
}

interface RateLimitState {
  isAllowed: boolean
  /** Seconds until a refused request would be allowed. */
  wait: number
  headers: LimitFields
}

/** Limits each client, and all clients of one prefix together. */
export function createRateLimit(name: string, policy: RateLimitPolicy): RateLimit {
  const { quota, windowSeconds } = policy
  const prefixPolicy = { quota: quota * prefixFactor, windowSeconds }
  const findOwn = createBuckets(policy)
  const findPrefix = createBuckets(prefixPolicy)
  const described = `${policyItem(name, policy)}, ${policyItem(`${name}-prefix`, prefixPolicy)}`

  const check = (network: string, now: number, count: 0 | 1): RateLimitState => {
    const own = findOwn(network, now)
    const prefix = findPrefix(prefixOf(network), now)
    const isOwn = own.level <= prefix.level
    const { level } = isOwn ? own : prefix
    const isAllowed = level >= 1
    if (isAllowed) {
      own.level -= count
      prefix.level -= count
    }
    const left = isAllowed ? Math.floor(level - count) : 0
    const total = isOwn ? quota : prefixPolicy.quota
    const seconds = (missing: number): number =>
      Math.max(1, Math.ceil((missing / total) * windowSeconds - 1e-6))
    return {
      isAllowed,
      wait: seconds(1 - level),
      headers: {
        'RateLimit-Policy': described,
        RateLimit: stateItem(isOwn ? name : `${name}-prefix`, left, seconds(total - left)),
      },
    }
  }

  return {
    take: (network, now) => check(network, now, 1),
    look: (network, now) => check(network, now, 0),
  }
}

/** The limits of one process for callers who need no account. A client is identified by `networkOf` its address. */
export function createRateLimits(changes: RateLimitChanges = {}) {
  const used = { ...policies, ...changes }
  const make = (name: LimitName): RateLimit => createRateLimit(name, used[name])
  const token = make('token')
  const limits: Record<RateLimitName, RateLimit> = {
    search: make('search'),
    login: make('login'),
    signIn: make('signIn'),
    submission: make('submission'),
  }

  const refuse = ({ wait }: RateLimitState): never => {
    throw new DomainError('TOO_MANY_REQUESTS', texts.tooManyRequests(wait), { retryAfter: wait })
  }

  return {
    /** Counts a request and describes the limit in the response. Throws TOO_MANY_REQUESTS. */
    count(name: RateLimitName, network: string, res: ServerResponse): void {
      const state = limits[name].take(network, performance.now())
      addFields(res, state.headers)
      if (!state.isAllowed) refuse(state)
    },
    /** Throws TOO_MANY_REQUESTS if too many tokens of this client were refused. */
    assertMayTryToken(network: string, res: ServerResponse): void {
      const state = token.look(network, performance.now())
      if (state.isAllowed) return
      addFields(res, state.headers)
      refuse(state)
    },
    countRefusedToken: (network: string): void => void token.take(network, performance.now()),
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>
