import { networkInterfaces } from 'node:os'
import { loginTokenDays, loginTokenScope } from '../../../shared/contracts/logins.ts'
import type { DeskLogin, LoginAnswer, StartedLogin } from '../../../shared/contracts/logins.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import { networkOf, plainAddress } from '../../../shared/network-address.ts'
import { currentOrigin, withOrigin } from '../../db/log/origin.ts'
import type { Permission } from '../../db/log/origin.ts'
import type { PersonAccess } from './person-access.service.ts'
import type { Sessions } from './sessions.service.ts'
import {
  pollSeconds,
  createGuessLimit,
  isPublicHost,
  isTooEarly,
  loginLifeMs,
  makeCodes,
  maxLogins,
  maxLoginsPerNetwork,
  placeOf,
} from './logins.rules.ts'
import type { NetworkSetup, Origin } from './logins.rules.ts'
import { hashOf, isBuiltIn } from './sessions.rules.ts'
import { texts } from './identity.texts.ts'

interface LoginParts {
  sessions: Pick<Sessions, 'findPerson'>
  access: Pick<PersonAccess, 'issueToken'>
  /** Records that a person has denied a login. */
  recordDenied(person: Person, login: Pick<DeskLogin, 'client' | 'address'>): Promise<void>
  /** The address of the remote desk, or else of the local one. */
  deskAddress(): string
  /** Whether a `Host` header names the registry. */
  isOwnHost(host: string | undefined): boolean
  /** The current settings. */
  config: Readonly<{ publicUrl: string | null; trustProxy: readonly string[]; tlsCert: string | null }>
  /** A monotonic clock, in milliseconds. */
  clock?: () => number
}

/** A login until it expires. Codes are stored only as hashes. */
interface Login extends Pick<DeskLogin, 'client' | 'address' | 'place'> {
  userHash: string
  network: string
  /** By the monotonic clock. */
  startedAt: number
  /** By the system clock. */
  startedOn: Date
  polledAt: number | null
  /** `issuing`: the token is being issued to a terminal that has polled. */
  state: DeskLogin['state'] | 'issuing'
  /** The person who confirmed or denied the login, and their session. */
  decided: Decided | null
  /** The person whose denial is not recorded yet. */
  unrecorded: Person | null
}

interface Decided {
  person: Person
  session: number | null
}

const unknownLogin = (): DomainError => new DomainError('NOT_FOUND', texts.login.unknown)

const tooManyCodes = (wait: number): DomainError =>
  new DomainError('TOO_MANY_REQUESTS', texts.tooManyCodes(wait), { retryAfter: wait })

/**
 * Logins of terminals, confirmed in the desk. They are kept only in memory. The token is issued when the terminal
 * collects it, so that it is never stored, and only while the session that confirmed the login is valid.
 */
export function createLogins(parts: LoginParts) {
  const { sessions, access, recordDenied, deskAddress, isOwnHost, config } = parts
  const { clock = () => performance.now() } = parts
  /** By the hash of the device code, oldest first. */
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

  const assertCapacity = (network: string): void => {
    const open = [...byDevice.values()].filter(({ state }) => state === 'waiting' || state === 'confirmed')
    const own = open.filter((login) => login.network === network)
    const sameNetwork = own.length >= maxLoginsPerNetwork ? own : null
    const [oldest] = sameNetwork ?? (byDevice.size >= maxLogins ? byDevice.values() : [])
    if (oldest === undefined) return
    const wait = Math.max(1, Math.ceil((oldest.startedAt + loginLifeMs - clock()) / 1000))
    const limit = sameNetwork === null ? `${maxLogins}` : `${maxLoginsPerNetwork} per address`
    throw new DomainError('TOO_MANY_REQUESTS', texts.login.tooMany(limit, wait), { retryAfter: wait })
  }

  /** Throws NOT_FOUND, or TOO_MANY_REQUESTS after too many wrong codes from the same person. */
  const getByUser = (person: Person, userCode: string): Login => {
    forgetOld()
    const key = `person ${person.id}`
    const now = clock()
    const wait = guesses.wait(key, now)
    if (wait !== null) throw tooManyCodes(wait)
    const login = byUser.get(hashOf(userCode))
    if (login !== undefined) return login
    guesses.record(key, now)
    throw unknownLogin()
  }

  /**
   * The limit never blocks a valid code: 256 bits can't be guessed, and others at the same address must not lock it
   * out.
   */
  const getByDevice = (deviceCode: string, network: string): Login => {
    forgetOld()
    const login = byDevice.get(hashOf(deviceCode))
    if (login !== undefined && login.state !== 'taken') return login
    const key = `network ${network}`
    const now = clock()
    const wait = guesses.wait(key, now)
    if (wait === null) guesses.record(key, now)
    if (wait === null) throw unknownLogin()
    throw tooManyCodes(wait)
  }

  const show = (login: Login, person: Person): DeskLogin => {
    const { client, address, place, startedOn, state, decided } = login
    return {
      client,
      address,
      place,
      startedAt: startedOn.toISOString(),
      expiresAt: endOf(startedOn),
      state: state === 'issuing' ? 'confirmed' : state,
      decidedBy: decided === null ? null : nameOf(decided.person),
      tokenEndsAt: new Date(Date.now() + loginTokenDays * 86_400_000).toISOString(),
      foreignIssuer: isBuiltIn(person) ? null : person.issuer,
    }
  }

  /** Records a denial once. */
  const record = async (login: Login): Promise<void> => {
    const { unrecorded } = login
    if (unrecorded === null) return
    login.unrecorded = null
    try {
      await recordDenied(unrecorded, login)
    } catch (error) {
      login.unrecorded = unrecorded
      throw error
    }
  }

  /** Issues the token. The login counts as refused if the person who confirmed it no longer has access. */
  const issue = async (login: Login, { person, session }: Decided): Promise<LoginAnswer> => {
    const permission: Permission = {
      assert() {
        if (session === null || sessions.findPerson(session) === null) throw unknownLogin()
      },
    }
    login.state = 'issuing'
    try {
      const request = { label: login.client, scope: loginTokenScope, days: loginTokenDays } as const
      const issuing = withOrigin(currentOrigin(), () => access.issueToken(person, request), permission)
      const { token, access: entry } = await issuing
      login.state = 'taken'
      const { subject, name } = person
      return { state: 'confirmed', token, expiresAt: entry.expiresAt, person: { subject, name } }
    } catch (error) {
      const hasEnded = error instanceof DomainError && error.code === 'NOT_FOUND'
      login.state = hasEnded ? 'refused' : 'confirmed'
      if (hasEnded) return { state: 'refused' }
      throw error
    }
  }

  return {
    /** Throws TOO_MANY_REQUESTS. */
    start(client: string, origin: Origin): StartedLogin {
      forgetOld()
      const network = networkOf(origin.address)
      assertCapacity(network)
      const { deviceCode, userCode } = makeCodes()
      const userHash = hashOf(userCode)
      // A collision (1 in 25 billion) would replace a code that a person is comparing right now.
      if (byUser.has(userHash)) return this.start(client, origin)
      const startedOn = new Date()
      const login: Login = {
        client,
        address: plainAddress(origin.address),
        place: placeOf(origin, { ...networkSetup(config), isOwnHost }),
        userHash,
        network,
        startedAt: clock(),
        startedOn,
        polledAt: null,
        state: 'waiting',
        decided: null,
        unrecorded: null,
      }
      byDevice.set(hashOf(deviceCode), login)
      byUser.set(userHash, login)
      return {
        deviceCode,
        userCode,
        confirmUrl: `${deskAddress()}/desk/confirm#${userCode}`,
        expiresAt: endOf(startedOn),
        intervalSeconds: pollSeconds,
      }
    },

    /** Throws NOT_FOUND, or TOO_MANY_REQUESTS if the terminal polls too often. */
    async ask(deviceCode: string, address: string): Promise<LoginAnswer> {
      const login = getByDevice(deviceCode, networkOf(address))
      const now = clock()
      if (isTooEarly(login.polledAt, now)) {
        throw new DomainError('TOO_MANY_REQUESTS', texts.login.tooOften(pollSeconds), {
          retryAfter: pollSeconds,
        })
      }
      login.polledAt = now
      if (login.state === 'refused') return { state: 'refused' }
      if (login.state !== 'confirmed' || login.decided === null) return { state: 'waiting' }
      return issue(login, login.decided)
    },

    /** Throws NOT_FOUND or TOO_MANY_REQUESTS. */
    get: (person: Person, userCode: string): DeskLogin => show(getByUser(person, userCode), person),

    /** Throws what `get` throws, VALIDATION_FAILED for a person of another issuer, and INVALID_TRANSITION. */
    confirm(person: Person, userCode: string, session: number | null): DeskLogin {
      const login = getByUser(person, userCode)
      if (!isBuiltIn(person)) {
        throw new DomainError('VALIDATION_FAILED', texts.login.tokensOf(person.issuer))
      }
      // Confirming twice is not an error, because the first response may have been lost.
      const isOwn = login.decided?.person.id === person.id
      if (isOwn && login.state !== 'refused') return show(login, person)
      assertWaiting(login)
      login.state = 'confirmed'
      login.decided = { person, session }
      return show(login, person)
    },

    /** Throws what `get` throws, and INVALID_TRANSITION once the terminal has its token. */
    async refuse(person: Person, userCode: string, session: number | null): Promise<DeskLogin> {
      const login = getByUser(person, userCode)
      if (login.state !== 'refused') {
        if (login.state !== 'confirmed') assertWaiting(login)
        login.state = 'refused'
        login.decided = { person, session }
        login.unrecorded = person
      }
      await record(login)
      return show(login, person)
    },
  }
}

export type Logins = ReturnType<typeof createLogins>

/** Throws INVALID_TRANSITION. */
function assertWaiting({ state, decided }: Login): void {
  if (state === 'waiting') return
  const who = decided === null ? texts.login.someone : (decided.person.name ?? decided.person.subject)
  throw new DomainError('INVALID_TRANSITION', texts.login[state](who))
}

const endOf = (startedOn: Date): string => new Date(startedOn.getTime() + loginLifeMs).toISOString()

const nameOf = ({ id, subject, name }: Person): NonNullable<DeskLogin['decidedBy']> => ({ id, subject, name })

function networkSetup({
  publicUrl,
  trustProxy,
  tlsCert,
}: LoginParts['config']): Omit<NetworkSetup, 'isOwnHost'> {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  )
  return { ownAddresses, isProxied: trustProxy.length > 0 || (isPublicHost(publicUrl) && tlsCert === null) }
}
