import { beforeEach, describe, expect, test } from 'vitest'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import { loginLifeMs, mostLogins, mostOfOneNetwork } from './logins.rules.ts'
import { createLogins } from './logins.service.ts'
import type { Logins } from './logins.service.ts'

const alice: Person = { id: 1, issuer: 'skilldock', subject: 'alice', name: 'Alice', role: 'developer' }
const from = (address: string) => ({ address, headers: {} })
const refused = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.retryAfter ?? null]
    throw error
  }
  return null
}

let now = 0
let issued = 0
/** What the next token meets. */
let trouble: DomainError | null = null
let whileIssuing: () => Promise<unknown> = async () => null
let logins: Logins

beforeEach(() => {
  now = 0
  issued = 0
  trouble = null
  whileIssuing = async () => null
  logins = createLogins({
    clock: () => now,
    deskAddress: () => 'http://127.0.0.1:4200',
    isOwnHost: () => true,
    config: { publicUrl: null, trustProxy: [], tlsCert: null },
    sessions: { find: () => ({ id: 7, person: alice }), isGood: (id) => id === 7 },
    access: {
      foreignIssuerOf: () => null,
      async issueToken() {
        await whileIssuing()
        if (trouble !== null) throw trouble
        issued += 1
        return { token: `token ${issued}`, access: { expiresAt: '2026-12-22T00:00:00.000Z' } as AccessEntry }
      },
    },
  })
})

const ask = (deviceCode: string) => {
  now += 2000
  return logins.ask(deviceCode, '127.0.0.1')
}

describe('after ten minutes', () => {
  test('a code is known to nobody, and its place is free', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    now = loginLifeMs - 1
    expect(logins.get(alice, userCode).state).toBe('waiting')
    now = loginLifeMs
    expect(refused(() => logins.get(alice, userCode))).toEqual(['NOT_FOUND', null])
    expect(refused(() => logins.confirm(alice, userCode, {}))).toEqual(['NOT_FOUND', null])
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('one that was confirmed and not picked up makes no token', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, {})
    now = loginLifeMs
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(issued).toBe(0)
  })
})

describe('a flood', () => {
  test('from one address is stopped there, and others go on', () => {
    const all = Array.from({ length: mostOfOneNetwork }, () => logins.start('skill', from('203.0.113.7')))
    now = 60_000
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toEqual(['TOO_MANY_REQUESTS', 540])
    expect(refused(() => logins.start('skill', from('::ffff:203.0.113.7')))).not.toBeNull()
    expect(refused(() => logins.start('skill', from('203.0.113.8')))).toBeNull()
    // A decision makes room, and so does the end of the oldest.
    logins.refuse(alice, all[0]?.userCode ?? '', {})
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toBeNull()
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).not.toBeNull()
    now = loginLifeMs
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toBeNull()
  })

  test('from one network of the sixth version is one address', () => {
    for (let at = 0; at < mostOfOneNetwork; at += 1) logins.start('skill', from(`2001:db8:1:2::${at}`))
    expect(refused(() => logins.start('skill', from('2001:db8:1:2:ffff::1')))).not.toBeNull()
    expect(refused(() => logins.start('skill', from('2001:db8:1:3::1')))).toBeNull()
  })

  test('from everywhere takes so much memory and no more', () => {
    for (let at = 0; at < mostLogins; at += 1) logins.start('skill', from(`198.51.${at >> 8}.${at & 255}`))
    now = 30_000
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toEqual(['TOO_MANY_REQUESTS', 570])
    now = loginLifeMs
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toBeNull()
  })
})

describe('a question', () => {
  test('comes at most every two seconds', async () => {
    const { deviceCode } = logins.start('skill', from('127.0.0.1'))
    expect(await logins.ask(deviceCode, '127.0.0.1')).toEqual({ state: 'waiting' })
    now = 1500
    await expect(logins.ask(deviceCode, '127.0.0.1')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfter: 2,
    })
    now = 2000
    expect(await logins.ask(deviceCode, '127.0.0.1')).toEqual({ state: 'waiting' })
  })

  test('that comes while the token is made gets none, and none is made twice', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, {})
    const seen: unknown[] = []
    whileIssuing = async () => {
      whileIssuing = async () => null
      seen.push(await ask(deviceCode), logins.get(alice, userCode).state)
      seen.push(refused(() => logins.refuse(alice, userCode, {})))
    }
    expect(await ask(deviceCode)).toMatchObject({ state: 'confirmed', token: 'token 1' })
    expect(seen).toEqual([{ state: 'waiting' }, 'confirmed', ['INVALID_TRANSITION', null]])
    expect(issued).toBe(1)
    expect(logins.get(alice, userCode).state).toBe('taken')
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('that meets a database that is away is asked again and gets the token then', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, {})
    trouble = new DomainError('DATABASE_UNAVAILABLE', 'It is away.')
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(logins.get(alice, userCode).state).toBe('confirmed')
    trouble = null
    expect(await ask(deviceCode)).toMatchObject({ state: 'confirmed' })
  })

  test('with a wrong code is answered 20 times a minute from one address; a good one always is', async () => {
    const { deviceCode } = logins.start('skill', from('203.0.113.7'))
    const wrong = (address: string) => logins.ask('x'.repeat(43), address).catch(({ code }) => code as string)
    const answers = await Promise.all(Array.from({ length: 21 }, () => wrong('203.0.113.7')))
    expect(answers.filter((code) => code === 'NOT_FOUND')).toHaveLength(20)
    expect(answers.at(-1)).toBe('TOO_MANY_REQUESTS')
    expect(await wrong('203.0.113.8')).toBe('NOT_FOUND')
    expect(await logins.ask(deviceCode, '203.0.113.7')).toEqual({ state: 'waiting' })
    now = 60_000
    expect(await wrong('203.0.113.7')).toBe('NOT_FOUND')
  })

  test('that finds the person removed in the last moment is told that it was refused', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, {})
    trouble = new DomainError('NOT_FOUND', 'alice has been removed.')
    expect(await ask(deviceCode)).toEqual({ state: 'refused' })
    trouble = null
    expect(await ask(deviceCode)).toEqual({ state: 'refused' })
    expect(issued).toBe(0)
  })
})
