import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import { assertPermitted } from '../../db/log/origin.ts'
import { loginLifeMs, maxLogins, maxLoginsPerNetwork } from './logins.rules.ts'
import { createLogins } from './logins.service.ts'
import type { IssuedAccess } from './person-access.service.ts'
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
/** Thrown when the next token is issued. */
let failure: DomainError | null = null
let whileIssuing: () => Promise<unknown> = async () => null
let isSignedIn = true
let denied: string[] = []
/** Called when a denial is recorded. */
let whileRecording: () => Promise<unknown> = async () => null
let logins: Logins

beforeEach(() => {
  now = 0
  issued = 0
  failure = null
  whileIssuing = async () => null
  isSignedIn = true
  denied = []
  whileRecording = async () => null
  logins = createLogins({
    clock: () => now,
    async recordDenied({ subject }) {
      await whileRecording()
      denied.push(subject)
    },
    deskAddress: () => 'http://127.0.0.1:4200',
    isOwnHost: () => true,
    config: { publicUrl: null, trustProxy: [], tlsCert: null },
    sessions: { findPerson: (id) => (id === 7 && isSignedIn ? alice : null) },
    access: {
      async issueToken() {
        await whileIssuing()
        // As every transaction does.
        assertPermitted()
        if (failure !== null) throw failure
        issued += 1
        return {
          token: `token ${issued}`,
          access: { expiresAt: '2026-12-22T00:00:00.000Z' } as IssuedAccess['access'],
        }
      },
    },
  })
})

const ask = (deviceCode: string) => {
  now += 2000
  return logins.ask(deviceCode, '127.0.0.1')
}

describe('after ten minutes', () => {
  test('a code is unknown', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    now = loginLifeMs - 1
    expect(logins.get(alice, userCode).state).toBe('waiting')
    now = loginLifeMs
    expect(refused(() => logins.get(alice, userCode))).toEqual(['NOT_FOUND', null])
    expect(refused(() => logins.confirm(alice, userCode, 7))).toEqual(['NOT_FOUND', null])
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a confirmed code that was never collected yields no token', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, 7)
    now = loginLifeMs
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(issued).toBe(0)
  })
})

describe('a flood of logins', () => {
  test('from one address is limited without affecting other addresses', async () => {
    const all = Array.from({ length: maxLoginsPerNetwork }, () => logins.start('skill', from('203.0.113.7')))
    now = 60_000
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toEqual(['TOO_MANY_REQUESTS', 540])
    expect(refused(() => logins.start('skill', from('::ffff:203.0.113.7')))).not.toBeNull()
    expect(refused(() => logins.start('skill', from('203.0.113.8')))).toBeNull()
    // Refusing a login makes room, and so does the expiry of the oldest.
    await logins.refuse(alice, all[0]?.userCode ?? '', 7)
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toBeNull()
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).not.toBeNull()
    now = loginLifeMs
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toBeNull()
  })

  test('from one IPv6 network counts as one address', () => {
    for (let at = 0; at < maxLoginsPerNetwork; at += 1) logins.start('skill', from(`2001:db8:1:2::${at}`))
    expect(refused(() => logins.start('skill', from('2001:db8:1:2:ffff::1')))).not.toBeNull()
    expect(refused(() => logins.start('skill', from('2001:db8:1:3::1')))).toBeNull()
  })

  test('from many addresses is limited too, so that memory is bounded', () => {
    for (let at = 0; at < maxLogins; at += 1) logins.start('skill', from(`198.51.${at >> 8}.${at & 255}`))
    now = 30_000
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toEqual(['TOO_MANY_REQUESTS', 570])
    now = loginLifeMs
    expect(refused(() => logins.start('skill', from('203.0.113.7')))).toBeNull()
  })
})

describe('a denial', () => {
  test('that could not be recorded holds, and is recorded when it is repeated', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    whileRecording = () => Promise.reject(new DomainError('DATABASE_UNAVAILABLE', 'It is unavailable.'))
    await expect(logins.refuse(alice, userCode, 7)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(await ask(deviceCode)).toEqual({ state: 'refused' })
    whileRecording = async () => null
    expect(await logins.refuse(alice, userCode, 7)).toMatchObject({ state: 'refused' })
    expect(denied).toEqual(['alice'])
  })

  test('is recorded once, however often it is sent', async () => {
    const { userCode } = logins.start('skill', from('127.0.0.1'))
    await Promise.all([logins.refuse(alice, userCode, 7), logins.refuse(alice, userCode, 7)])
    await logins.refuse(alice, userCode, 7)
    expect(denied).toEqual(['alice'])
  })
})

describe('a poll', () => {
  test('is accepted at most every two seconds', async () => {
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

  test('that arrives while the token is being issued gets none, and only one token is issued', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, 7)
    const seen: unknown[] = []
    whileIssuing = async () => {
      whileIssuing = async () => null
      seen.push(await ask(deviceCode), logins.get(alice, userCode).state)
      seen.push(await logins.refuse(alice, userCode, 7).catch(({ code }: DomainError) => code))
    }
    expect(await ask(deviceCode)).toMatchObject({ state: 'confirmed', token: 'token 1' })
    expect(seen).toEqual([{ state: 'waiting' }, 'confirmed', 'INVALID_TRANSITION'])
    expect(issued).toBe(1)
    expect(logins.get(alice, userCode).state).toBe('taken')
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('gets no token if the session that confirmed ends while the token waits for the database', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, 7)
    whileIssuing = async () => (isSignedIn = false)
    expect(await ask(deviceCode)).toEqual({ state: 'refused' })
    expect(issued).toBe(0)
    expect(await ask(deviceCode)).toEqual({ state: 'refused' })
  })

  test('that fails because the database is unavailable can be repeated and then gets the token', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, 7)
    failure = new DomainError('DATABASE_UNAVAILABLE', 'The database is unavailable.')
    await expect(ask(deviceCode)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(logins.get(alice, userCode).state).toBe('confirmed')
    failure = null
    expect(await ask(deviceCode)).toMatchObject({ state: 'confirmed' })
  })

  test('with a wrong code is limited to 20 a minute per address; with a valid code it is not', async () => {
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

  test('reports a refusal if the person was removed just before the token was issued', async () => {
    const { deviceCode, userCode } = logins.start('skill', from('127.0.0.1'))
    logins.confirm(alice, userCode, 7)
    failure = new DomainError('NOT_FOUND', 'alice has been removed.')
    expect(await ask(deviceCode)).toEqual({ state: 'refused' })
    failure = null
    expect(await ask(deviceCode)).toEqual({ state: 'refused' })
    expect(issued).toBe(0)
  })
})
