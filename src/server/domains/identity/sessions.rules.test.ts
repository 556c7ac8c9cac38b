import { describe, expect, test } from 'vitest'
import { createFailureLimit, makeSecret, readSessionKey, sessionLabel } from './sessions.rules.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36',
    'Chrome on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36 Edg/144.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) skilldock/0.1.0 Chrome/144.0 Electron/45.4.1 Safari/537.36',
    'Skilldock app on Linux',
  ],
  ['curl/8.0', 'unknown browser'],
  ['', 'unknown browser'],
  [undefined, 'unknown browser'],
])('the session of %s is called "%s"', (userAgent, label) => {
  expect(sessionLabel(userAgent)).toBe(label)
})

describe('the session key', () => {
  const key = makeSecret()

  test.each([`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`])('is read from %s', (header) => {
    expect(readSessionKey(header)).toBe(key)
  })

  test.each([
    undefined,
    '',
    key,
    'Bearer',
    `Bearer "${key}"`,
    `Bearer ${key}x`,
    `Bearer ${key}, Bearer ${key}`,
  ])('is not accepted in %s', (header) => {
    expect(readSessionKey(header)).toBeNull()
  })
})

test('failures are counted in a sliding window', () => {
  const limit = createFailureLimit(3, 60_000)
  for (const at of [0, 10_000, 50_000]) {
    expect(limit.wait(at)).toBeNull()
    limit.record(at)
  }
  expect(limit.wait(50_000)).toBe(10)
  expect(limit.wait(59_001)).toBe(1)
  expect(limit.wait(60_000)).toBeNull()
  limit.record(60_000)
  // Now the oldest of the three is the one at 10 s.
  expect(limit.wait(60_000)).toBe(10)
  expect(limit.wait(70_000)).toBeNull()
})
