import { networkInterfaces } from 'node:os'
import { loginTokenDays, loginTokenScope } from '../../../shared/contracts/logins.ts'
import type { DeskLogin, LoginAnswer, StartedLogin } from '../../../shared/contracts/logins.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import { networkOf, plainAddress } from '../../../shared/network-address.ts'
import type { PersonAccess } from './person-access.service.ts'
import type { Sessions, SessionHeaders } from './sessions.service.ts'
import {
  askSeconds,
  createGuessLimit,
  hashOfCode,
  isPublicHost,
  isTooEarly,
  loginLifeMs,
  makeCodes,
  mostLogins,
  mostOfOneNetwork,
  placeOf,
} from './logins.rules.ts'
import type { Origin, Way } from './logins.rules.ts'

export interface LoginParts {
  sessions: Pick<Sessions, 'find' | 'isGood'>
  access: Pick<PersonAccess, 'issueToken' | 'foreignIssuerOf'>
  /** Of the loopback listener. */
  deskAddress(): string
  /** Whether a `Host` header names the registry. */
  isOwnHost(host: string | undefined): boolean
  /** The settings as they are at each moment. */
  config: Readonly<{ publicUrl: string | null; trustProxy: readonly string[]; tlsCert: string | null }>
  /** Milliseconds of a clock that nobody sets. */
  clock?: () => number
}

/** One that is remembered, until its time is over; codes only by their hashes. */
interface Login extends Pick<DeskLogin, 'client' | 'address' | 'place'> {
  userHash: string
  network: string
  /** By the clock that nobody sets, and by that of the wall. */
  startedAt: number
  startedOn: Date
  askedAt: number | null
  /** `giving`: the token is being made for a terminal that has asked. */
  state: DeskLogin['state'] | 'giving'
  /** Whoever confirmed or refused, and by which session. */
  decided: Decided | null
}

interface Decided {
  person: Person
  session: number | null
}

/** One sentence for every code that is not known: a restart forgets them all. */
const unknownLogin = (): DomainError =>
  new DomainError(
    'NOT_FOUND',
    'This code is not known here: it counts for ten minutes, its token is given once, and a restart of the registry ' +
      'forgets it. Start again with: skill login',
  )

/**
 * Logins of terminals, which the desk confirms. They are in memory alone. The token is made when the terminal picks it
 * up, so that none is kept, and only while the session is good that confirmed.
 */
export function createLogins(parts: LoginParts) {
  const { sessions, access, deskAddress, isOwnHost, config, clock = () => performance.now() } = parts
  /** By the hash of the terminal's code, the oldest first. */
  const byDevice = new Map<string, Login>()
  const byUser = new Map<string, Login>()
  const guesses = createGuessLimit()

  const forgetOld = (): void => {
    const now = clock()
    for (const [hash, login] of byDevice) {
      if (now - login.startedAt < loginLifeMs) break
      byDevice.delete(hash)
      byUser.delete(login.userHash)
    }
  }

  const assertRoom = (network: string): void => {
    const open = [...byDevice.values()].filter(({ state }) => state === 'waiting' || state === 'confirmed')
    const own = open.filter((login) => login.network === network)
    const crowd = own.length >= mostOfOneNetwork ? own : null
    const [oldest] = crowd ?? (byDevice.size >= mostLogins ? byDevice.values() : [])
    if (oldest === undefined) return
    const wait = Math.max(1, Math.ceil((oldest.startedAt + loginLifeMs - clock()) / 1000))
    const who = crowd === null ? `${mostLogins} terminals` : `From your address ${mostOfOneNetwork} terminals`
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      `${who} wait for a confirmation already, which is the limit. Confirm or refuse one of them at the desk, or try ` +
        `again in ${wait} s. A token that is pasted signs in at once: skill login --token-stdin`,
      { retryAfter: wait },
    )
  }

  /** Throws TOO_MANY_REQUESTS or NOT_FOUND. Each person has so many wrong codes. */
  const getByUser = (person: Person, userCode: string): Login => {
    forgetOld()
    const key = `person ${person.id}`
    const now = clock()
    const wait = guesses.wait(key, now)
    if (wait !== null) {
      throw new DomainError('TOO_MANY_REQUESTS', `Too many wrong codes. Try again in ${wait} s.`, {
        retryAfter: wait,
      })
    }
    const login = byUser.get(hashOfCode(userCode))
    if (login !== undefined) return login
    guesses.note(key, now)
    throw unknownLogin()
  }

  /** A good code is always answered: nobody guesses 256 bits, and others at an address must not shut one out. */
  const getByDevice = (deviceCode: string, network: string): Login => {
    forgetOld()
    const login = byDevice.get(hashOfCode(deviceCode))
    if (login !== undefined && login.state !== 'taken') return login
    const key = `network ${network}`
    const now = clock()
    const wait = guesses.wait(key, now)
    if (wait === null) guesses.note(key, now)
    if (wait === null) throw unknownLogin()
    throw new DomainError('TOO_MANY_REQUESTS', `Too many wrong codes. Try again in ${wait} s.`, {
      retryAfter: wait,
    })
  }

  const show = (login: Login, person: Person): DeskLogin => {
    const { client, address, place, startedOn, state, decided } = login
    return {
      client,
      address,
      place,
      startedAt: startedOn.toISOString(),
      expiresAt: endOf(startedOn),
      state: state === 'giving' ? 'confirmed' : state,
      decidedBy: decided === null ? null : nameOf(decided.person),
      tokenEndsAt: new Date(Date.now() + loginTokenDays * 86_400_000).toISOString(),
      foreignIssuer: access.foreignIssuerOf(person),
    }
  }

  /** Makes the token. Where whoever confirmed has no access any more, it counts as refused. */
  const give = async (login: Login, { person, session }: Decided): Promise<LoginAnswer> => {
    if (session === null || !sessions.isGood(session)) {
      login.state = 'refused'
      return { state: 'refused' }
    }
    login.state = 'giving'
    try {
      const order = { label: login.client, scope: loginTokenScope, days: loginTokenDays } as const
      const { token, access: entry } = await access.issueToken(person, order)
      login.state = 'taken'
      const { subject, name } = person
      return { state: 'confirmed', token, expiresAt: entry.expiresAt, person: { subject, name } }
    } catch (error) {
      const isGone = error instanceof DomainError && error.code === 'NOT_FOUND'
      login.state = isGone ? 'refused' : 'confirmed'
      if (isGone) return { state: 'refused' }
      throw error
    }
  }

  return {
    /** Throws TOO_MANY_REQUESTS. */
    start(client: string, origin: Origin): StartedLogin {
      forgetOld()
      const network = networkOf(origin.address)
      assertRoom(network)
      const { deviceCode, userCode } = makeCodes()
      const userHash = hashOfCode(userCode)
      // One in 25 billion, and then the one that somebody compares already would be taken from them.
      if (byUser.has(userHash)) return this.start(client, origin)
      const startedOn = new Date()
      const login: Login = {
        client,
        address: plainAddress(origin.address),
        place: placeOf(origin, { ...wayOf(config), isOwnHost }),
        userHash,
        network,
        startedAt: clock(),
        startedOn,
        askedAt: null,
        state: 'waiting',
        decided: null,
      }
      byDevice.set(hashOfCode(deviceCode), login)
      byUser.set(userHash, login)
      return {
        deviceCode,
        userCode,
        confirmUrl: `${deskAddress()}/desk/confirm#${userCode}`,
        expiresAt: endOf(startedOn),
        intervalSeconds: askSeconds,
      }
    },

    /** Throws NOT_FOUND, or TOO_MANY_REQUESTS for who asks too often. */
    async ask(deviceCode: string, address: string): Promise<LoginAnswer> {
      const login = getByDevice(deviceCode, networkOf(address))
      const now = clock()
      if (isTooEarly(login.askedAt, now)) {
        throw new DomainError(
          'TOO_MANY_REQUESTS',
          `This terminal asks too often. It has to wait ${askSeconds} s between two questions.`,
          { retryAfter: askSeconds },
        )
      }
      login.askedAt = now
      if (login.state === 'refused') return { state: 'refused' }
      if (login.state !== 'confirmed' || login.decided === null) return { state: 'waiting' }
      return give(login, login.decided)
    },

    /** Throws NOT_FOUND or TOO_MANY_REQUESTS. */
    get: (person: Person, userCode: string): DeskLogin => show(getByUser(person, userCode), person),

    /** Throws what `get` throws, VALIDATION_FAILED for a person of another issuer, and INVALID_TRANSITION. */
    confirm(person: Person, userCode: string, headers: SessionHeaders): DeskLogin {
      const login = getByUser(person, userCode)
      const issuer = access.foreignIssuerOf(person)
      if (issuer !== null) {
        throw new DomainError(
          'VALIDATION_FAILED',
          `Your tokens come from ${issuer}. Get one there, and give it to: skill login --token-stdin`,
        )
      }
      // Whoever sends it twice, as with an answer that was lost, has confirmed once.
      const isOwn = login.decided?.person.id === person.id
      if (isOwn && login.state !== 'refused') return show(login, person)
      assertWaiting(login)
      const session = sessions.find(headers)
      if (session === null) throw new DomainError('SESSION_MISSING', 'You are not signed in at this desk.')
      login.state = 'confirmed'
      login.decided = { person, session: session.id }
      return show(login, person)
    },

    /** Throws what `get` throws, and INVALID_TRANSITION where the terminal has its token. */
    refuse(person: Person, userCode: string, headers: SessionHeaders): DeskLogin {
      const login = getByUser(person, userCode)
      if (login.state === 'refused') return show(login, person)
      if (login.state !== 'confirmed') assertWaiting(login)
      login.state = 'refused'
      login.decided = { person, session: sessions.find(headers)?.id ?? null }
      return show(login, person)
    },
  }
}

export type Logins = ReturnType<typeof createLogins>

/** Throws INVALID_TRANSITION. */
function assertWaiting({ state, decided }: Login): void {
  if (state === 'waiting') return
  const who = decided === null ? 'Somebody' : (decided.person.name ?? decided.person.subject)
  const sentences = {
    refused: `${who} has refused this already. Start again in the terminal with: skill login`,
    confirmed: `${who} has confirmed this already. Refuse it if that was wrong, and start again in the terminal.`,
    giving: `${who} has confirmed this, and the terminal is being given its token. Revoke that under My releases.`,
    taken: `${who} has confirmed this, and the terminal has its token. Revoke that under My releases.`,
  }
  throw new DomainError('INVALID_TRANSITION', sentences[state])
}

const endOf = (startedOn: Date): string => new Date(startedOn.getTime() + loginLifeMs).toISOString()

const nameOf = ({ id, subject, name }: Person): NonNullable<DeskLogin['decidedBy']> => ({ id, subject, name })

function wayOf({ publicUrl, trustProxy, tlsCert }: LoginParts['config']): Omit<Way, 'isOwnHost'> {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  )
  return { ownAddresses, isProxied: trustProxy.length > 0 || (isPublicHost(publicUrl) && tlsCert === null) }
}
