import type {
  tokenExchangeRoutes,
  trustedPublisherRoutes,
} from '../../../../shared/contracts/trusted-publishers.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { TokenExchange } from './exchange-tokens.service.ts'
import type { TrustedPublishers } from './trusted-publishers.service.ts'

export function trustedPublisherHandlers(
  publishers: TrustedPublishers,
): Handlers<typeof trustedPublisherRoutes> {
  return {
    listPublishers: ({ caller, params }) => ({ items: publishers.list(caller, params.name) }),
    addPublisher: ({ caller, params, body }) => publishers.add(caller, params.name, body),
    removePublisher: ({ caller, params }) => publishers.remove(caller, params.name, params.id),
  }
}

export function tokenExchangeHandlers(exchange: TokenExchange): Handlers<typeof tokenExchangeRoutes> {
  return { exchangeToken: ({ body }) => exchange.exchange(body.name, body.identityToken) }
}
