import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { VerifiedAuthenticationResponse, WebAuthnCredential } from '@simplewebauthn/server'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../../shared/contracts/desk-passkeys.ts'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { identityRepository } from './identity.repository.ts'
import { passkeyRepository } from './passkeys.repository.ts'
import type { PasskeyRow } from './passkeys.repository.ts'
import type { Seals } from './seals.rules.ts'
import { isBuiltIn, toDeskPerson } from './sessions.rules.ts'
import { texts } from './identity.texts.ts'

interface PasskeyParts {
  database: Database
  seals: Seals
  /** The address of the remote desk; null while it is off. */
  deskUrl(): string | null
}

/** Milliseconds until a challenge expires, which is also how long a browser waits for the person. */
const challengeLifeMs = 5 * 60_000

/** Ed25519, ECDSA with P-256 and RSA, each with SHA-256, as in IANA's COSE registry. */
const algorithms = [-8, -7, -257]

const signInPurpose = 'passkey sign-in'
const additionPurpose = ({ id }: Pick<Person, 'id'>): string => `passkey of person ${id}`

/** The same message for every kind of refusal, so that it reveals nothing to an attacker. */
const refused = (cause?: unknown): DomainError =>
  new DomainError('PASSKEY_REFUSED', texts.passkey.refused, { cause })

/** What the passkeys of a registry belong to (Web Authentication, "RP ID"). */
interface RelyingParty {
  id: string
  origin: string
}

/**
 * Passkeys, with which people of the built-in issuer sign in to the remote desk. A passkey belongs to a domain, so the
 * local desk, whose address is a number, has none, and neither has a registry whose public address is one.
 */
export function createPasskeys({ database, seals, deskUrl }: PasskeyParts) {
  const reading = passkeyRepository(database.reader)
  const writing = passkeyRepository(database.writer)

  const findParty = (): RelyingParty | null => {
    const address = deskUrl()
    if (address === null) return null
    const { hostname, origin } = new URL(address)
    return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { id: hostname, origin } : null
  }

  /** Throws NOT_FOUND. */
  const getParty = (): RelyingParty => {
    const party = findParty()
    if (party === null) throw new DomainError('NOT_FOUND', texts.passkey.notHere)
    return party
  }

  /** Throws PASSKEY_REFUSED. */
  const verifyAssertion = async (
    response: PasskeyAssertion,
    { credentialId: id, publicKey, signatures: counter }: PasskeyRow,
    party: RelyingParty,
  ): Promise<VerifiedAuthenticationResponse['authenticationInfo']> => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const credential: WebAuthnCredential = { id, publicKey: fromBase64(publicKey), counter }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      credential,
      expectedChallenge: (challenge) => seals.open(signInPurpose, challenge) !== null,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }).catch((error: unknown) => {
      throw refused(error)
    })
    if (!verified) throw refused()
    return authenticationInfo
  }

  return {
    /** Whether people can sign in with passkeys. */
    isAvailable: (): boolean => findParty() !== null,

    /** Throws NOT_FOUND. */
    startSignIn(): PasskeyRequestOptions {
      const { id: rpId } = getParty()
      const challenge = seals.make(signInPurpose, challengeLifeMs)
      return { challenge, rpId, timeout: challengeLifeMs, userVerification: 'required' }
    },

    /**
     * Verifies a passkey and runs `work` in the transaction that records its use. Throws NOT_FOUND or PASSKEY_REFUSED.
     */
    async signIn<T>(response: PasskeyAssertion, work: (person: DeskPerson, now: Date) => T): Promise<T> {
      const party = getParty()
      database.assertAvailable()
      const known = reading.findPasskey(response.id)
      if (known === null || userHandle(known) !== response.response.userHandle) throw refused()
      const { newCounter } = await verifyAssertion(response, known, party)
      if (!seals.use(signInPurpose, challengeOf(response))) throw refused()
      const result = await database.transact(() => {
        const now = new Date()
        // It may have been removed, or used for another sign-in, while it was verified.
        const current = writing.findPasskey(response.id)
        if (current === null || current.signatures !== known.signatures) throw refused()
        writing.recordUse({ id: current.id, signatures: newCounter, at: now.toISOString() })
        return { of: work(toDeskPerson({ ...current, id: current.personId }), now) }
      })
      return result.of
    },

    /** Throws NOT_FOUND, or VALIDATION_FAILED for a person of an external issuer, who signs in there. */
    startAdding(person: Person): PasskeyCreationOptions {
      const { id } = getParty()
      if (!isBuiltIn(person)) {
        throw new DomainError('VALIDATION_FAILED', texts.passkey.ofIssuer(person.issuer))
      }
      database.assertAvailable()
      const personCreatedAt = identityRepository(database.reader).findPersonById(person.id)?.createdAt ?? ''
      return {
        challenge: seals.make(additionPurpose(person), challengeLifeMs),
        rp: { id, name: 'Skilldock' },
        user: {
          id: userHandle({ ...person, personCreatedAt }),
          name: person.subject,
          displayName: person.name ?? person.subject,
        },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        timeout: challengeLifeMs,
        attestation: 'none',
        excludeCredentials: reading
          .listCredentials(person.id)
          .map((known) => ({ type: 'public-key', id: known })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
      }
    },

    /** Throws NOT_FOUND or PASSKEY_REFUSED. */
    async add(person: Person, label: string, response: PasskeyAttestation): Promise<AccessEntry> {
      const party = getParty()
      const purpose = additionPurpose(person)
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const { registrationInfo: info } = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge: (challenge) => seals.open(purpose, challenge) !== null,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }).catch((error: unknown) => {
        throw refused(error)
      })
      if (info === undefined || !seals.use(purpose, challengeOf(response))) throw refused()
      const { id: credentialId, publicKey, counter: signatures } = info.credential
      const createdAt = new Date().toISOString()
      const id = await database.transact(() => {
        if (writing.hasCredential(credentialId)) throw refused()
        return writing.insertPasskey({
          personId: person.id,
          credentialId,
          publicKey: Buffer.from(publicKey).toString('base64url'),
          signatures,
          label,
          createdAt,
        })
      })
      const none = { scope: null, expiresAt: null, endedAt: null, lastUsedAt: null }
      return { kind: 'passkey', id: String(id), label, remote: false, createdAt, ...none, current: false }
    },
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'))

/** Identifies a person to an authenticator. It names nobody, and no two registries have the same. */
function userHandle({
  issuer,
  subject,
  personCreatedAt,
}: Pick<PasskeyRow, 'issuer' | 'subject' | 'personCreatedAt'>): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject, personCreatedAt]))
    .digest('base64url')
}

/** The challenge that was signed, in a response that has been verified. */
function challengeOf({ response }: PasskeyAssertion | PasskeyAttestation): string {
  const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
  return (JSON.parse(text) as { challenge: string }).challenge
}
