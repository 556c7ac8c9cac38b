import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { z } from 'zod'
import { preAuthEncoding } from '../../shared/attestation.ts'
import { rotationType } from '../../shared/contracts/attestations.ts'
import type { Envelope, KeyRotation } from '../../shared/contracts/attestations.ts'
import { deriveSecret, thumbprint } from './signing-key.ts'
import type { SigningKey } from './signing-key.ts'

/** The keys that sign attestations. The setting `attestation.key` is the number of the current one, from 1. */
export function createAttestationKeys(signingKey: SigningKey, readNumber: () => number) {
  const keys = new Map<number, ReturnType<typeof attestationKeyOf>>()
  const keyOf = (number: number) => {
    const key = keys.get(number) ?? attestationKeyOf(signingKey, number)
    keys.set(number, key)
    return key
  }
  return {
    /** The keys that verify tokens and attestations. */
    publicKeys: () => [signingKey, keyOf(readNumber())].map(({ kid, x }) => ({ kid, x })),
    /** Signs a payload, which becomes JSON, with the current key. */
    sign: (payloadType: string, payload: object): Envelope => keyOf(readNumber()).sign(payloadType, payload),
    /** The statements with which each key up to the current one vouches for the next. */
    rotations: (): Envelope[] =>
      Array.from({ length: readNumber() - 1 }, (_, index) => {
        const from = keyOf(index + 1)
        const { kid, x } = keyOf(index + 2)
        return from.sign(rotationType, { from: from.kid, to: { kid, x } } satisfies KeyRotation)
      }),
  }
}

export type AttestationKeys = ReturnType<typeof createAttestationKeys>

/** The fixed beginning of an Ed25519 private key in PKCS #8 (RFC 8410); the 32 bytes of the key follow. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Derived from the signing key, so that it exists only in the data folder's protected file and in backups. It cannot sign a
 * token.
 */
function attestationKeyOf(signingKey: SigningKey, number: number) {
  const secret = deriveSecret(signingKey, `attestation key ${number}`)
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, secret]), format: 'der', type: 'pkcs8' })
  const { x } = z.object({ x: z.string() }).parse(createPublicKey(privateKey).export({ format: 'jwk' }))
  const kid = `attest-${thumbprint(x)}`
  return {
    kid,
    x,
    sign(payloadType: string, payload: object): Envelope {
      const bytes = Buffer.from(JSON.stringify(payload))
      const sig = sign(null, preAuthEncoding(payloadType, bytes), privateKey)
      return {
        payload: bytes.toString('base64'),
        payloadType,
        signatures: [{ keyid: kid, sig: sig.toString('base64') }],
      }
    },
  }
}
