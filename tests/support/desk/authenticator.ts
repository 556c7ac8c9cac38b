import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../../src/shared/contracts/desk-passkeys.ts'

/** What an authenticator or a browser would not do by itself. */
export interface Misbehavior {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  userHandle?: string
  /** Whether it has recognized the person. */
  isVerified?: boolean
  /** The number of signatures that it reports. */
  signatures?: number
  /** Changes the signature's last bit. */
  isForged?: boolean
}

/** A passkey that a test can make misbehave: Web Authentication, level 3, with ES256. Chromium's own is used in tests/e2e. */
export interface Passkey {
  attestation: PasskeyAttestation
  signIn(options: PasskeyRequestOptions, misbehavior?: Misbehavior): PasskeyAssertion
}

export function createPasskey(
  origin: string,
  options: PasskeyCreationOptions,
  misbehavior: Misbehavior = {},
): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const key = Buffer.concat([
    // A map of five: kty EC2, alg ES256, crv P-256, x, y (RFC 9053).
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
  const authData = Buffer.concat([authenticatorData(options.rp.id, 0x40, misbehavior, 0), credential])
  const attestationObject = Buffer.concat([
    Buffer.from('a3', 'hex'),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.from('a0', 'hex'),
    cborText('authData'),
    Buffer.from([0x59, authData.length >> 8, authData.length & 255]),
    authData,
  ])
  const names = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' } as const
  const clientData = (type: string, challenge: string, change: Misbehavior): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...pick(change) }))
  let signatures = 0

  return {
    attestation: {
      ...names,
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, misbehavior).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
      },
    },
    signIn({ challenge, rpId }, change = {}) {
      signatures += 1
      const data = authenticatorData(rpId, 0, change, signatures)
      const client = clientData('webauthn.get', challenge, change)
      const hash = createHash('sha256').update(client).digest()
      const signature = sign('sha256', Buffer.concat([data, hash]), privateKey)
      if (change.isForged === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
      return {
        ...names,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: change.userHandle ?? options.user.id,
        },
      }
    },
  }
}

/** The members of the client data that misbehave. */
const pick = ({ origin, challenge, type }: Misbehavior): Misbehavior => ({
  ...(origin === undefined ? {} : { origin }),
  ...(challenge === undefined ? {} : { challenge }),
  ...(type === undefined ? {} : { type }),
})

const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** With the flags of a present and, usually, verified person. */
function authenticatorData(rpId: string, flags: number, change: Misbehavior, signatures: number): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(change.signatures ?? signatures)
  return Buffer.concat([
    createHash('sha256')
      .update(change.rpId ?? rpId)
      .digest(),
    Buffer.from([flags | 1 | (change.isVerified === false ? 0 : 4)]),
    counter,
  ])
}
