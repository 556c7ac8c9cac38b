import type { keyRoutes } from '../../../shared/contracts/discovery.ts'
import type { loginRoutes } from '../../../shared/contracts/logins.ts'
import type { Handlers } from '../../http/mount.ts'
import type { OwnTokens } from './own-token.service.ts'

/** An Ed25519 key. */
export interface PublicKey {
  /** In base64url. */
  x: string
  kid: string
}

/** The public halves of the keys that sign tokens and attestations, for programs that verify them. */
export function keyHandlers(readKeys: () => readonly PublicKey[]): Handlers<typeof keyRoutes> {
  return {
    getSigningKeys: () => ({
      keys: readKeys().map(({ kid, x }) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        x,
        kid,
        alg: 'EdDSA',
        use: 'sig',
      })),
    }),
  }
}

/** Describing and revoking the token of the request. */
export function ownTokenHandlers(
  tokens: OwnTokens,
): Handlers<Pick<typeof loginRoutes, 'getOwnToken' | 'endOwnToken'>> {
  return {
    getOwnToken: ({ caller, headers }) => tokens.describe(caller, headers.authorization),
    endOwnToken: ({ caller, headers }) => tokens.end(caller, headers.authorization),
  }
}
