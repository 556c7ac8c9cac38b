import type { JWTPayload } from 'jose'
import type { ExternalIssuer } from '../../../shared/contracts/issuers.ts'
import { publisherName } from '../../../shared/publisher-name.ts'
import type { Person, Role } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { Logger } from '../../operations/logging.ts'
import { invalidToken } from './caller.rules.ts'
import type { VerifyToken } from './caller.rules.ts'
import { externalSubjectSchema, nameOf, roleOf } from './external-claims.rules.ts'
import type { Claims } from './external-claims.rules.ts'
import { identityRepository, toPerson } from './identity.repository.ts'
import type { PersonRow } from './identity.repository.ts'
import { createIssuerKeys } from './issuer-keys.service.ts'
import type { OnRename } from './people.service.ts'
import { verifyProviderToken } from './provider-tokens.service.ts'
import type { ProviderTokenRules } from './provider-tokens.service.ts'
import { texts } from './identity.texts.ts'

interface ExternalIssuerParts {
  issuer: ExternalIssuer
  database: Database
  onRename: OnRename
  log: Logger
}

/** The person as described by a token. */
interface Profile {
  subject: string
  role: Role
  /** Null if the token contains no name; the stored name is kept then. */
  name: string | null
}

/** What one external issuer says about people. */
export interface ExternalPeople {
  /** Verifies a token for the API. */
  verify: VerifyToken
  /** The person of an ID token that the desk, as this client, got from the issuer. Throws what `verify` throws. */
  identify(idToken: string, clientId: string): Promise<Person>
  /** The verified claims of any token of the issuer, without creating a person. Throws what `verify` throws. */
  readClaims(token: string, rules: Pick<ProviderTokenRules, 'audience' | 'maxAge'>): Promise<Claims>
}

/**
 * Verifies the tokens of one external issuer (rulings, "Identity"). A person is created on first use; their name and
 * role follow the tokens and the configuration.
 */
export function createExternalPeople(parts: ExternalIssuerParts): ExternalPeople {
  const { issuer, database, onRename } = parts
  const findKey = createIssuerKeys(issuer, parts.log)
  const reading = identityRepository(database.reader)
  const writing = identityRepository(database.writer)
  const takesName = createNewestFirst()

  const readClaims = (
    token: string,
    rules: Pick<ProviderTokenRules, 'audience' | 'maxAge'>,
  ): Promise<JWTPayload> => verifyProviderToken(token, findKey, { ...issuer, ...rules })

  async function check(token: string, audience: string[]): Promise<{ claims: JWTPayload; profile: Profile }> {
    const claims = await readClaims(token, { audience })
    const subject = externalSubjectSchema.safeParse(claims.sub)
    if (!subject.success) throw invalidToken(subject.error)
    return {
      claims,
      profile: { subject: subject.data, role: roleOf(issuer, claims), name: nameOf(issuer, claims) },
    }
  }

  /** Inside a transaction. */
  const save = (profile: Profile): PersonRow => {
    const existing = writing.findPerson(issuer.issuer, profile.subject)
    if (existing === null) {
      const created = { ...profile, issuer: issuer.issuer, createdAt: new Date().toISOString() }
      return { ...created, id: writing.insertPerson(created), removedAt: null }
    }
    assertPresent(existing)
    const changed = { ...existing, role: profile.role, name: profile.name ?? existing.name }
    writing.updatePerson(changed)
    if (changed.name !== existing.name) onRename(changed.id, publisherName(changed))
    return changed
  }

  const find = async (token: string, audience: string[]): Promise<Person> => {
    const { claims, profile } = await check(token, audience)
    database.assertAvailable()
    const known = reading.findPerson(issuer.issuer, profile.subject)
    if (known !== null) assertPresent(known)
    if (!takesName(profile.subject, claims.iat ?? 0)) profile.name = null
    const isCurrent =
      known !== null && known.role === profile.role && (profile.name ?? known.name) === known.name
    return toPerson(isCurrent ? known : await database.transact(() => save(profile)))
  }

  const readAgain = (id: number): Person => {
    database.assertAvailable()
    const person = reading.findPersonById(id)
    if (person === null) throw invalidToken()
    assertPresent(person)
    return toPerson(person)
  }

  return {
    async verify(token) {
      const person = await find(token, issuer.audience)
      return { person, scope: null, readPerson: () => readAgain(person.id) }
    },
    identify: (idToken, clientId) => find(idToken, [clientId]),
    readClaims,
  }
}

/** A person removed from the registry is rejected even if the provider's token is valid. */
function assertPresent(person: PersonRow): void {
  if (person.removedAt === null) return
  throw new DomainError('TOKEN_REVOKED', texts.removedAccount)
}

/**
 * Checks whether a token is at least as new as the newest one seen for its subject. Otherwise, a person who uses two
 * tokens with different names would rename all of their releases back and forth with every request.
 */
function createNewestFirst(): (subject: string, issuedAt: number) => boolean {
  const newest = new Map<string, number>()
  return (subject, issuedAt) => {
    if (issuedAt < (newest.get(subject) ?? 0)) return false
    if (newest.size > 10_000) newest.clear()
    newest.set(subject, issuedAt)
    return true
  }
}
