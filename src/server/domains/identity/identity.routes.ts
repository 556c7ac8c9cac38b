import type { keyRoutes } from '../../../shared/contracts/discovery.ts'
import type { loginRoutes } from '../../../shared/contracts/logins.ts'
import type { Handlers } from '../../http/mount.ts'
import type { OwnTokens } from './own-token.service.ts'

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

/** Describing and revoking the token of the request. */
export function ownTokenHandlers(
  tokens: OwnTokens,
): Handlers<Pick<typeof loginRoutes, 'getOwnToken' | 'endOwnToken'>> {
  return {
    getOwnToken: ({ caller, headers }) => tokens.describe(caller, headers.authorization),
    async endOwnToken({ caller, headers }) {
      await tokens.end(caller, headers.authorization)
      return { success: true }
    },
  }
}
