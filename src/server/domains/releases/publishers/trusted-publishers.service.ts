import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { decodeJwt } from 'jose'
import type { Person } from '../../../../shared/contracts/people.ts'
import {
  dailyExchanges,
  grantSeconds,
  maxPublishers,
} from '../../../../shared/contracts/trusted-publishers.ts'
import type {
  ExchangedToken,
  JobIdentity,
  TrustedPublisher,
} from '../../../../shared/contracts/trusted-publishers.ts'
import { DomainError } from '../../../../shared/errors.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { Database } from '../../../db/database.ts'
import type { FindGrant } from '../../identity/built-in-tokens.service.ts'
import { newToken } from '../../identity/token-signer.service.ts'
import type { SignToken } from '../../identity/token-signer.service.ts'
import type { TrustedIssuers } from '../../identity/trusted-issuers.service.ts'
import { ownersRepository } from '../owners/owners.repository.ts'
import { createRollingLimit, quotaWindowMs } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'
import { differencesOf, pinsOf, provenanceOf } from './job-claims.rules.ts'
import type { JobClaims } from './job-claims.rules.ts'
import { trustedPublishersRepository } from './trusted-publishers.repository.ts'

interface TrustedPublisherParts {
  database: Database
  issuers: TrustedIssuers
  sign: SignToken
  /** The address that identity tokens must be for. */
  publicUrl(): string
}

/**
 * The trusted publishers of a name, which its owners manage, and the tokens for their jobs, which can only submit releases
 * of this name (decision 034).
 */
export function createTrustedPublishers({ database, issuers, sign, publicUrl }: TrustedPublisherParts) {
  const reading = trustedPublishersRepository(database.reader)
  const writing = trustedPublishersRepository(database.writer)
  const daily = createRollingLimit(quotaWindowMs)

  const assertOwner = (connection: Database['reader'], name: string, { id }: Person): void => {
    if (ownersRepository(connection).isOwner(name, id)) return
    throw new DomainError('NOT_OWNER', texts.owners.notOwner(name))
  }

  const refuse = (path: string, message: string): never => {
    throw new DomainError('VALIDATION_FAILED', `${path} ${message}.`, { issues: [{ path, message }] })
  }

  const audienceOf = ({ identity }: TrustedPublisher): string =>
    (identity.provider === 'openid' ? identity.audience : undefined) ?? publicUrl()

  /** The trusted publishers whose tokens this issuer signs. An issuer that no owner has named is never contacted. */
  const candidatesOf = (repository: typeof reading, name: string, issuer: string): TrustedPublisher[] => {
    const found = repository.list(name).filter(({ identity }) => identity.issuer === issuer)
    if (found.length > 0) return found
    throw new DomainError('NOT_TRUSTED', texts.publishers.noIssuer(name, issuer))
  }

  const getMatch = (name: string, candidates: TrustedPublisher[], claims: JobClaims): TrustedPublisher => {
    const compared = candidates.map((publisher) => ({
      publisher,
      differences: differencesOf(publisher.identity, publisher.pins, audienceOf(publisher), claims),
    }))
    const [nearest] = compared.toSorted((a, b) => a.differences.length - b.differences.length)
    if (nearest?.differences.length === 0) return nearest.publisher
    throw new DomainError('NOT_TRUSTED', texts.publishers.otherJob(name, nearest?.differences ?? []))
  }

  return {
    /** Throws NOT_OWNER. */
    list(person: Person, name: string): TrustedPublisher[] {
      database.assertAvailable()
      assertOwner(database.reader, name, person)
      return reading.list(name)
    },

    /** Throws NOT_OWNER, TOO_MANY_PUBLISHERS, or VALIDATION_FAILED for a private or repeated one. */
    add(person: Person, name: string, identity: JobIdentity): Promise<TrustedPublisher> {
      if (!issuers.isAllowed(identity.issuer)) refuse('issuer', texts.publishers.privateIssuer)
      return database.transact(() => {
        assertOwner(database.writer, name, person)
        const existing = writing.list(name)
        const same = existing.find((one) => isDeepStrictEqual(one.identity, identity))
        if (same !== undefined) refuse('identity', texts.publishers.repeated(same.id))
        if (existing.length >= maxPublishers) {
          throw new DomainError('TOO_MANY_PUBLISHERS', texts.publishers.tooMany(name, maxPublishers))
        }
        const addedAt = new Date().toISOString()
        const row = { name, person: person.id, identity: JSON.stringify(identity), at: addedAt }
        const id = writing.insert(row)
        const addedBy = { id: person.id, publisher: publisherName(person) }
        return { id, identity, pins: null, addedBy, addedAt }
      })
    },

    /** Any owner of the name may do it. Throws NOT_OWNER or NOT_FOUND. */
    remove(person: Person, name: string, id: number): Promise<void> {
      return database.transact(() => {
        assertOwner(database.writer, name, person)
        if (!writing.list(name).some((one) => one.id === id)) {
          throw new DomainError('NOT_FOUND', texts.publishers.unknown(name, id))
        }
        writing.remove({ id, by: person.id, at: new Date().toISOString() })
      })
    },

    /** Throws TOKEN_INVALID, TOKEN_EXPIRED, NOT_TRUSTED, QUOTA_EXCEEDED or ISSUER_UNAVAILABLE. */
    async exchange(name: string, identityToken: string): Promise<ExchangedToken> {
      database.assertAvailable()
      const { iss: issuer, aud } = claimed(identityToken)
      const audiences = [...new Set(candidatesOf(reading, name, issuer).map(audienceOf))]
      // The audience is the most frequent mistake, and only the job's own claim is repeated.
      if (![aud].flat().some((one) => audiences.includes(String(one)))) {
        throw new DomainError('TOKEN_INVALID', texts.publishers.otherAudience(publicUrl()))
      }
      const claims = await issuers.readClaims(identityToken, issuer, audiences)
      const issued = newToken(grantSeconds)
      const publisher = await database.transact(() => {
        const candidates = candidatesOf(writing, name, issuer)
        const { id: publisherId, identity, pins } = getMatch(name, candidates, claims)
        // Only what was signed: a signature can have several forms.
        const tokenHash = hash('sha256', identityToken.replace(/\.[^.]*$/, ''))
        if (writing.isExchanged(tokenHash, publisherId)) {
          throw new DomainError('TOKEN_INVALID', texts.publishers.exchanged)
        }
        const times = writing.listTimes(name, dailyExchanges)
        daily.assert(dailyExchanges, times, new Date(), texts.publishers.dailyLimit(name, dailyExchanges))
        if (pins === null) writing.pin(JSON.stringify(pinsOf(identity, claims)), publisherId)
        const provenance = JSON.stringify(provenanceOf(identity, claims))
        writing.insertExchange({ ...issued, publisherId, tokenHash, provenance })
        return publisherId
      })
      return { token: await sign(`publisher:${publisher}`, issued), name, expiresAt: issued.expiresAt }
    },

    /** For the authentication of requests. */
    findGrant: reading.findGrant satisfies FindGrant,
  }
}

export type TrustedPublishers = ReturnType<typeof createTrustedPublishers>

/** The claims as they are, before anything is verified. */
function claimed(token: string): { iss: string; aud: unknown } {
  try {
    const { iss, aud } = decodeJwt(token)
    if (typeof iss === 'string') return { iss, aud }
  } catch {
    // The same answer as for a token without an issuer.
  }
  throw new DomainError('TOKEN_INVALID', texts.publishers.notAToken)
}
