import { createPublicKey, verify } from 'node:crypto'
import type { z } from 'zod'
import { preAuthEncoding } from '../../shared/attestation.ts'
import {
  attestationRoutes,
  rotationSchema,
  rotationType,
  statementSchema,
  statementType,
} from '../../shared/contracts/attestations.ts'
import type { ApprovalStatement, AttestationKey, Envelope } from '../../shared/contracts/attestations.ts'
import { keyRoutes } from '../../shared/contracts/discovery.ts'
import { ClientError, nullIfNotFound } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { parseLoosely } from '../parse-loosely.ts'
import { nameOf } from './registry.ts'
import type { Registry } from './registry.ts'
import { texts } from './registry.texts.ts'

interface Attested {
  name: string
  version: string
  sha256: string
}

/** A verified approval, and the key that signed it. */
interface SignedApproval {
  key: AttestationKey
  envelope: Envelope
  statement: ApprovalStatement
}

/**
 * Verifies that the registry has signed the approval of exactly this module. `pinned` is the key that must have signed it, or must
 * vouch for the one that did; null at the first contact, when the registry's current key is trusted. Returns the approval with
 * the key that signed it, or null if the registry has no attestations and none was pinned. Throws otherwise.
 */
export async function getApproval(
  registry: Registry,
  { name, version, sha256 }: Attested,
  pinned: AttestationKey | null,
): Promise<SignedApproval | null> {
  const release = nameOf({ name, version })
  const envelope = await registry
    .call(attestationRoutes.getAttestation, { params: { name, version } })
    .catch(nullIfNotFound)
  if (envelope === null) {
    if (pinned === null) return null
    throw refused(texts.attestation.missing(release, registry.host), 'NOT_ATTESTED')
  }
  const key = await findKey(registry, envelope.signatures[0]?.keyid ?? '', pinned)
  if (key === null) {
    throw refused(texts.attestation.otherKey(release, registry.address.host), 'ATTESTED_BY_OTHER_KEY')
  }
  const statement = open(envelope, statementType, key, statementSchema)
  if (statement === null) throw refused(texts.attestation.notSigned(release), 'ATTESTATION_INVALID')
  const [subject] = statement.subject
  const { action } = statement.predicate.review
  if (subject?.name !== release || subject.digest.sha256 !== sha256 || action !== 'approved') {
    throw refused(texts.attestation.otherRelease(release), 'ATTESTATION_INVALID')
  }
  return { key, envelope, statement }
}

/** The key with this id, if it may be trusted. */
export async function findKey(
  registry: Registry,
  kid: string,
  pinned: AttestationKey | null,
): Promise<AttestationKey | null> {
  if (pinned === null) {
    const { keys } = await registry.call(keyRoutes.getSigningKeys)
    const found = keys.find((key) => key.kid === kid && kid.startsWith('attest-'))
    return found === undefined ? null : { kid, x: found.x }
  }
  if (pinned.kid === kid) return pinned
  const { rotations } = await registry.call(attestationRoutes.listKeyRotations)
  let trusted = pinned
  for (const envelope of rotations) {
    const rotation = open(envelope, rotationType, trusted, rotationSchema)
    if (rotation?.from === trusted.kid) trusted = rotation.to
    if (trusted.kid === kid) return trusted
  }
  return null
}

/** The payload of an envelope. Null unless this key signed it. */
function open<T extends z.ZodType>(
  { payload, payloadType, signatures }: Envelope,
  type: string,
  { x }: AttestationKey,
  schema: T,
): z.output<T> | null {
  const bytes = Buffer.from(payload, 'base64')
  const signature = Buffer.from(signatures[0]?.sig ?? '', 'base64')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const isSigned = payloadType === type && verify(null, preAuthEncoding(type, bytes), key, signature)
    return isSigned ? parseLoosely(schema, bytes.toString()) : null
  } catch {
    // Not an Ed25519 key.
    return null
  }
}

const refused = (text: { sentence: string; next: string }, code: string): ClientError =>
  new ClientError(exitCodes.mismatch, text, { code })
