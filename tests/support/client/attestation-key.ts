import { call } from '../server/publish.ts'

export interface PublishedKey {
  kid: string
  x: string
}

/** The key that signs a registry's attestations, as it publishes it. */
export async function currentAttestationKey(registry: string): Promise<PublishedKey> {
  const { body } = await call<{ keys: PublishedKey[] }>(`${registry}/api/skilldock/jwks.json`)
  const key = body.keys.find(({ kid }) => kid.startsWith('attest-'))
  if (key === undefined) throw new Error('no attestation key')
  return { kid: key.kid, x: key.x }
}
