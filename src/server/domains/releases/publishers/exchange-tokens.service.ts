import { createHash, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { dailyExchanges, grantSeconds } from '../../../../shared/contracts/trusted-publishers.ts'
import type { ExchangedToken, TrustedPublisher } from '../../../../shared/contracts/trusted-publishers.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import type { FindGrant } from '../../identity/built-in-tokens.service.ts'
import type { SignToken } from '../../identity/token-signer.service.ts'
import type { TrustedIssuers } from '../../identity/trusted-issuers.service.ts'
import { createDailyLimit } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'
import { differencesOf, pinsOf, provenanceOf } from './job-claims.rules.ts'
import type { JobClaims } from './job-claims.rules.ts'
import { trustedPublishersRepository } from './trusted-publishers.repository.ts'

export interface TokenExchangeParts {
  database: Database
  issuers: Pick<TrustedIssuers, 'readClaims'>
  sign: SignToken
  /** The address that identity tokens must be for. */
  publicUrl(): string
  clock?(): Date
}

/** Gives jobs of trusted publishers tokens that can only submit releases of one name (decision 034). */
export function createTokenExchange(parts: TokenExchangeParts) {
  const { database, issuers, sign, publicUrl, clock = () => new Date() } = parts
  const reading = trustedPublishersRepository(database.reader)
  const writing = trustedPublishersRepository(database.writer)
  const daily = createDailyLimit()

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

  const assertQuota = (name: string): void => {
    const times = writing.listTimes(name, dailyExchanges)
    daily.assert(dailyExchanges, times, clock(), texts.publishers.dailyLimit(name, dailyExchanges))
  }

  return {
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
      const jti = randomUUID()
      const issuedAt = Math.floor(clock().getTime() / 1000)
      const expires = issuedAt + grantSeconds
      const expiresAt = new Date(expires * 1000).toISOString()
      const publisher = await database.transact(() => {
        const match = getMatch(name, candidatesOf(writing, name, issuer), claims)
        const { id: publisherId, identity, pins } = match
        // Only what was signed: a signature can have several forms.
        const tokenHash = createHash('sha256')
          .update(identityToken.replace(/\.[^.]*$/, ''))
          .digest('hex')
        if (writing.isExchanged(tokenHash, publisherId)) {
          throw new DomainError('TOKEN_INVALID', texts.publishers.exchanged)
        }
        assertQuota(name)
        if (pins === null) writing.pin(JSON.stringify(pinsOf(identity, claims)), publisherId)
        const provenance = JSON.stringify(provenanceOf(identity, claims))
        const exchangedAt = new Date(issuedAt * 1000).toISOString()
        writing.insertExchange({ jti, publisherId, tokenHash, provenance, exchangedAt, expiresAt })
        return publisherId
      })
      const subject = `publisher:${publisher}`
      return { token: await sign({ subject, jti, issuedAt, expires }), name, expiresAt }
    },

    /** For the authentication of requests. */
    findGrant: ((jti) => {
      const row = reading.findGrant(jti)
      if (row === null) return null
      const { id, name, personId, isActive } = row
      return { grant: { id, name }, personId, isActive: isActive === 1 }
    }) satisfies FindGrant,
  }
}

export type TokenExchange = ReturnType<typeof createTokenExchange>

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
