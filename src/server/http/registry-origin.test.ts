import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { assertOwnOrigin, isOwnHost } from './registry-origin.ts'

const address = { listenerUrl: 'http://127.0.0.1:4280', publicUrl: 'https://skills.example' }

test.each([
  ['127.0.0.1:4280', true],
  ['localhost:4280', true],
  ['LOCALHOST:4280', true],
  ['[::1]:4280', true],
  ['skills.example', true],
  ['skills.example:443', true],
  ['127.0.0.1', false],
  ['127.0.0.1:4200', false],
  ['skills.example:4280', false],
  ['attacker.example', false],
  ['attacker.example:4280', false],
  ['attacker.example@127.0.0.1:4280', false],
  ['127.0.0.1:4280/attacker.example', false],
  ['', false],
  [undefined, false],
])('Host %s belongs to the registry: %s', (host, isOwn) => {
  expect(isOwnHost(host, address)).toBe(isOwn)
})

test('without a public URL, only loopback names and the listener address belong to the registry', () => {
  const local = { listenerUrl: 'https://192.0.2.4:4280', publicUrl: null }
  expect(isOwnHost('192.0.2.4:4280', local)).toBe(true)
  expect(isOwnHost('localhost:4280', local)).toBe(true)
  expect(isOwnHost('skills.example', local)).toBe(false)
})

const passes = (origin: string | undefined, method = 'POST'): boolean => {
  try {
    assertOwnOrigin({ method, headers: { origin } } as IncomingMessage, address)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'ORIGIN_FORBIDDEN' })
    return false
  }
}

test.each([
  ['https://skills.example', true],
  ['http://localhost:4280', true],
  ['http://127.0.0.1:4280', true],
  [undefined, true],
  ['null', false],
  ['', false],
  ['http://skills.example', false],
  ['http://localhost:4200', false],
  ['https://skills.example.attacker.example', false],
  ['http://attacker.example:4280', false],
])('a page with the origin %s may write: %s', (origin, isAllowed) => {
  expect(passes(origin)).toBe(isAllowed)
})

test('reads are allowed from any origin, since pages of other sites cannot see the answer', () => {
  expect(passes('https://attacker.example', 'GET')).toBe(true)
  expect(passes('https://attacker.example', 'HEAD')).toBe(true)
})
