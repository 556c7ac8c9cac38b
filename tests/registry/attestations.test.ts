import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Envelope } from '../../src/shared/contracts/attestations.ts'
import { call } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let sha256 = ''
beforeAll(async () => {
  app = await startTestRegistry()
  sha256 = createHash('sha256').update(app.wasm).digest('hex')
})
afterAll(() => app.stop())

interface Key {
  kid: string
  x: string
}

const address = (name: string, version = '1.0.0'): string =>
  `${app.registry}/api/skilldock/attestations/${name}/${version}`
const getEnvelope = async (name: string): Promise<Envelope> => (await call<Envelope>(address(name))).body
const getKeys = async (): Promise<Key[]> =>
  (await call<{ keys: Key[] }>(`${app.registry}/api/skilldock/jwks.json`)).body.keys
const currentKey = async (): Promise<Key> => {
  const keys = (await getKeys()).filter(({ kid }) => kid.startsWith('attest-'))
  expect(keys).toHaveLength(1)
  return keys[0] as Key
}
const payloadOf = ({ payload }: Envelope): unknown => JSON.parse(Buffer.from(payload, 'base64').toString())

/** As the DSSE specification says, written out a second time. */
function isSignedBy(key: Key, { payload, payloadType, signatures }: Envelope): boolean {
  const body = Buffer.from(payload, 'base64')
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `),
    body,
  ])
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' })
  expect(signatures.map(({ keyid }) => keyid)).toEqual([key.kid])
  return verify(null, signed, publicKey, Buffer.from(signatures[0]?.sig ?? '', 'base64'))
}

describe('the attestation of an approved release', () => {
  test('is an in-toto statement about its bytes with the decision, the reviewer, the notes and the policy', async () => {
    await app.release({ name: 'attested' }, 'approved')
    const { status, headers, body } = await call<Envelope>(address('attested'))
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.payloadType).toBe('application/vnd.in-toto+json')
    const review = await call(`${app.registry}/api/skilldock/skills/attested/1.0.0/review`)
    expect(payloadOf(body)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'attested@1.0.0', digest: { sha256 } }],
      predicateType: 'https://skilldock.example/attestation/review/v1',
      predicate: {
        registry: app.registry,
        policy: { approvals: 1, selfApproved: false },
        review: review.body,
      },
    })
  })

  test('is signed by the key of the key set whose id begins with attest-, which signs no tokens', async () => {
    await app.release({ name: 'signed' }, 'approved')
    const envelope = await getEnvelope('signed')
    const key = await currentKey()
    expect(isSignedBy(key, envelope)).toBe(true)
    const others = (await getKeys()).filter(({ kid }) => kid !== key.kid)
    expect(others).toHaveLength(1)
    expect(others[0]?.x).not.toBe(key.x)
    const changed = Buffer.from(envelope.payload, 'base64').toString().replace(sha256, '0'.repeat(64))
    expect(isSignedBy(key, { ...envelope, payload: Buffer.from(changed).toString('base64') })).toBe(false)
    const token = await app.token({ subject: 'carol' })
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      kid: others[0]?.kid,
    })
  })

  test('does not exist for a pending, revoked or unknown release', async () => {
    const id = await app.submit({ name: 'decided' })
    expect(await refusal(address('decided'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    await app.decide(id, 'approved')
    expect((await call(address('decided'))).status).toBe(200)
    await app.decide(id, 'revoked')
    expect(await refusal(address('decided'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await refusal(address('no-such-skill'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})

describe('a change of the key', () => {
  test('takes effect at once, and each former key vouches for the next', async () => {
    await app.release({ name: 'rotated' }, 'approved')
    const first = await currentKey()
    const list = async (): Promise<Envelope[]> =>
      (await call<{ rotations: Envelope[] }>(`${app.registry}/api/skilldock/attestations/rotations`)).body
        .rotations
    expect(await list()).toEqual([])

    await app.server.settings.save({ 'attestation.key': 3 })
    const third = await currentKey()
    expect(third.kid).not.toBe(first.kid)
    expect(isSignedBy(third, await getEnvelope('rotated'))).toBe(true)

    let trusted = first
    for (const rotation of await list()) {
      expect(isSignedBy(trusted, rotation)).toBe(true)
      expect(rotation.payloadType).toBe('application/vnd.skilldock.key-rotation+json')
      const { from, to } = payloadOf(rotation) as { from: string; to: Key }
      expect(from).toBe(trusted.kid)
      trusted = to
    }
    expect(trusted).toEqual({ kid: third.kid, x: third.x })
  })
})
