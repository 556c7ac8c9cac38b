import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { networkOf } from '../../shared/network-address.ts'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { createRateLimit, createRateLimits, describeLimit } from './rate-limits.ts'
import { addedHeaders } from './response-head.ts'

const minute = { quota: 60, windowSeconds: 60 }
const allowed = (results: readonly { isAllowed: boolean }[]): number =>
  results.filter(({ isAllowed }) => isAllowed).length

test('a client may use its quota at once, then continues at the average rate', () => {
  const limit = createRateLimit('search', minute)
  const take = (now: number) => limit.take('192.0.2.1', now)
  expect(allowed(Array.from({ length: 70 }, () => take(0)))).toBe(60)
  expect(take(0)).toMatchObject({ isAllowed: false, wait: 1 })
  // Refused requests cost nothing.
  expect(allowed(Array.from({ length: 10 }, () => take(5000)))).toBe(5)
  expect(allowed(Array.from({ length: 100 }, () => take(10_000_000)))).toBe(60)
})

test('the wait is the time until one more is allowed', () => {
  const limit = createRateLimit('rare', { quota: 2, windowSeconds: 3600 })
  for (const now of [0, 0]) limit.take('192.0.2.1', now)
  expect(limit.take('192.0.2.1', 600_000).wait).toBe(1200)
  expect(limit.take('192.0.2.1', 1_800_000).isAllowed).toBe(true)
})

test('clients of a /24 or /48 have a common limit, eight times as large, which others do not notice', () => {
  for (const [own, other] of [
    [(at: number) => `192.0.2.${at}`, '192.0.3.1'],
    [(at: number) => `2001:db8:0:${at.toString(16)}::1`, '2001:db8:1::1'],
  ] as const) {
    const limit = createRateLimit('search', minute)
    const take = (address: string) => limit.take(networkOf(address), 0)
    const results = Array.from({ length: 20 }, (_, at) => Array.from({ length: 60 }, () => take(own(at))))
    expect(results.map(allowed)).toEqual([...Array(8).fill(60), ...Array(12).fill(0)])
    expect(results.at(-1)?.at(-1)?.headers.RateLimit).toBe('"search-prefix";r=0;t=60')
    expect(take(other).isAllowed).toBe(true)
  }
})

test('the addresses of one IPv6 /64 are one client', () => {
  const limit = createRateLimit('search', minute)
  const results = Array.from({ length: 100 }, (_, at) =>
    limit.take(networkOf(`2001:db8::${at.toString(16)}`), 0),
  )
  expect(allowed(results)).toBe(60)
})

test('the headers are those of the draft', () => {
  const limit = createRateLimit('search', minute)
  const policy = '"search";q=60;w=60, "search-prefix";q=480;w=60'
  expect(limit.take('192.0.2.1', 0).headers).toEqual({
    'RateLimit-Policy': policy,
    RateLimit: '"search";r=59;t=1',
  })
  for (let count = 0; count < 60; count += 1) limit.take('192.0.2.1', 0)
  expect(limit.look('192.0.2.1', 0).headers).toEqual({
    'RateLimit-Policy': policy,
    RateLimit: '"search";r=0;t=60',
  })
})

test('a limit of the handler is described after that of the client', () => {
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  createRateLimits({ search: minute }).count('search', '192.0.2.1', res)
  describeLimit(res, { name: 'submissions', quota: 10, windowSeconds: 86_400, left: 3, seconds: 120 })
  expect(addedHeaders(res, 'RateLimit')).toEqual(['"search";r=59;t=1', '"submissions";r=3;t=120'])
  expect(addedHeaders(res, 'RateLimit-Policy')).toEqual([
    '"search";q=60;w=60, "search-prefix";q=480;w=60',
    '"submissions";q=10;w=86400',
  ])
})

test('a client that is forgotten because of many others does not get a full bucket', () => {
  const limit = createRateLimit('search', { quota: 4, windowSeconds: 60 })
  const take = (at: number) => limit.take(`2001:${at.toString(16)}:0:0`, 0)
  const used = Array.from({ length: 6 }, () => Array.from({ length: 20_000 }, (_, at) => take(at)))
  // All buckets that exist have been used up, whichever addresses they were for.
  expect(allowed(used.flat())).toBe(16_384 * 4)
  expect(allowed(Array.from({ length: 20_000 }, (_, at) => take(at)))).toBe(0)
})

test('takes less than a few microseconds for a request', () => {
  const limit = createRateLimit('search', { quota: 1e9, windowSeconds: 60 })
  const networks = Array.from({ length: 10_000 }, (_, at) => networkOf(`10.0.${at >> 8}.${at & 255}`))
  const run = (): void => {
    for (const [now, network] of networks.entries()) limit.take(network, now)
  }
  run()
  expect(Math.min(...Array.from({ length: 5 }, () => cpuTimeOf(run)))).toBeLessThan(50)
})
