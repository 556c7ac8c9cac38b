import { beforeEach, describe, expect, test } from 'vitest'
import { createSeals } from './seals.rules.ts'
import type { Seals } from './seals.rules.ts'

let now = 0
let seals: Seals
beforeEach(() => {
  now = 0
  seals = createSeals(() => now)
})

describe('a seal', () => {
  test('contains its data and is never the same twice', () => {
    const [one, two] = [seals.make('sign-in', 1000, 'größe'), seals.make('sign-in', 1000, 'größe')]
    expect(one).not.toBe(two)
    expect([seals.open('sign-in', one), seals.open('sign-in', two)]).toEqual(['größe', 'größe'])
    expect(seals.open('sign-in', seals.make('sign-in', 1000))).toBe('')
  })

  test('is valid until it expires', () => {
    const seal = seals.make('sign-in', 1000)
    now = 999
    expect(seals.open('sign-in', seal)).toBe('')
    now = 1000
    expect(seals.open('sign-in', seal)).toBeNull()
    expect(seals.use('sign-in', seal)).toBe(false)
  })

  test('is used once', () => {
    const seal = seals.make('sign-in', 1000)
    expect(seals.use('sign-in', seal)).toBe(true)
    expect(seals.use('sign-in', seal)).toBe(false)
    expect(seals.open('sign-in', seal)).toBeNull()
    // Used ones are forgotten once they have expired, and stay invalid.
    now = 1000
    expect(seals.use('sign-in', seals.make('sign-in', 1000))).toBe(true)
    expect(seals.use('sign-in', seal)).toBe(false)
  })

  test('is for one purpose', () => {
    const seal = seals.make('sign-in', 1000)
    expect(seals.open('sign-i', seal)).toBeNull()
    expect(seals.use('other', seal)).toBe(false)
    expect(seals.use('sign-in', seal)).toBe(true)
  })

  test('of another process is invalid', () => {
    expect(seals.open('sign-in', createSeals(() => now).make('sign-in', 1000))).toBeNull()
  })

  test('no changed bit is accepted', () => {
    const bytes = Buffer.from(seals.make('sign-in', 1000, 'data'), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(seals.open('sign-in', changed.toString('base64url')), `bit ${bit}`).toBeNull()
    }
    for (const length of [0, 1, 32, 55, bytes.length - 1]) {
      expect(seals.open('sign-in', bytes.subarray(0, length).toString('base64url'))).toBeNull()
    }
  })
})
