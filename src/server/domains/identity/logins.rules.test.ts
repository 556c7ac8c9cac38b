import { describe, expect, test } from 'vitest'
import { userCodePattern } from '../../../shared/user-code.ts'
import { createGuessLimit, isPublicHost, makeCodes, placeOf } from './logins.rules.ts'

const network = {
  ownAddresses: ['192.0.2.4', 'fe80::1%eth0'],
  isProxied: false,
  isOwnHost: (host: string | undefined) => host === 'registry.test',
}

describe('a login was started', () => {
  test.each([
    ['127.0.0.1', {}, 'here'],
    ['127.8.9.1', {}, 'here'],
    ['::1', {}, 'here'],
    ['::ffff:127.0.0.1', {}, 'here'],
    // Through this computer's network address.
    ['192.0.2.4', {}, 'here'],
    ['::ffff:192.0.2.4', {}, 'here'],
    ['fe80::1%lo', {}, 'here'],
    ['192.0.2.5', {}, 'elsewhere'],
    ['128.0.0.1', {}, 'elsewhere'],
    ['2001:db8::1', {}, 'elsewhere'],
    ['', {}, 'unknown'],
    // An untrusted proxy may have forwarded a request from anywhere.
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 'unknown'],
    ['127.0.0.1', { forwarded: 'for=_hidden' }, 'unknown'],
    ['::1', { via: '1.1 proxy' }, 'unknown'],
    ['192.0.2.4', { 'x-real-ip': '192.0.2.4' }, 'unknown'],
    // Another host name may come from a DNS rebinding attack; a terminal sends no Origin.
    ['127.0.0.1', { host: 'attacker.example' }, 'unknown'],
    ['127.0.0.1', { host: undefined }, 'unknown'],
    ['127.0.0.1', { origin: 'http://registry.test' }, 'unknown'],
    // A trusted proxy has reported the client's address.
    ['203.0.113.7', { 'x-forwarded-for': '203.0.113.7' }, 'elsewhere'],
  ])('from "%s" with %o: %s', (address, headers, place) => {
    expect(placeOf({ address, headers: { host: 'registry.test', ...headers } }, network)).toBe(place)
  })

  test('from an unknown place if a proxy on this computer may have forwarded it', () => {
    const proxied = { ...network, isProxied: true }
    const headers = { host: 'registry.test' }
    expect(placeOf({ address: '127.0.0.1', headers }, proxied)).toBe('unknown')
    expect(placeOf({ address: '203.0.113.7', headers }, proxied)).toBe('elsewhere')
  })
})

test.each([
  [null, false],
  ['http://127.0.0.1:4280', false],
  ['http://localhost:4280', false],
  ['http://[::1]:4280', false],
  ['https://skills.example', true],
  ['https://localhost.example', true],
])('the address %s is public: %s', (url, isPublic) => {
  expect(isPublicHost(url)).toBe(isPublic)
})

test('codes use letters that cannot form words, and no two are the same', () => {
  const codes = Array.from({ length: 500 }, makeCodes)
  for (const { deviceCode, userCode } of codes) {
    expect(userCode).toMatch(userCodePattern)
    expect(deviceCode).toMatch(/^[A-Za-z0-9_-]{43}$/)
  }
  expect(new Set(codes.map(({ userCode }) => userCode)).size).toBe(500)
  expect(new Set(codes.map(({ deviceCode }) => deviceCode)).size).toBe(500)
  // All twenty letters and the hyphen occur.
  expect(new Set(codes.flatMap(({ userCode }) => [...userCode])).size).toBe(21)
})

test('wrong codes are counted per key', () => {
  const limit = createGuessLimit(2, 60_000)
  for (const key of ['a', 'a', 'b']) limit.record(key, 0)
  expect([limit.wait('a', 1), limit.wait('b', 1), limit.wait('c', 1)]).toEqual([60, null, null])
  expect(limit.wait('a', 60_000)).toBeNull()
})
