import type { keyRoutes } from '../../../shared/contracts/discovery.ts'
import type { Handlers } from '../../http/mount.ts'

export interface PublicKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
}

/** The public half of the signing key, for programs that verify tokens themselves. */
export function keyHandlers(key: PublicKey): Handlers<typeof keyRoutes> {
  const { kty, crv, x, kid } = key
  return { getSigningKeys: () => ({ keys: [{ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }] }) }
}
