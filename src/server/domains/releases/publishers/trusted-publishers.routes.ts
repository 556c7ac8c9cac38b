import type {
  tokenExchangeRoutes,
  trustedPublisherRoutes,
} from '../../../../shared/contracts/trusted-publishers.ts'
import type { Handlers } from '../../../http/mount.ts'
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

export function tokenExchangeHandlers(publishers: TrustedPublishers): Handlers<typeof tokenExchangeRoutes> {
  return { exchangeToken: ({ body }) => publishers.exchange(body.name, body.identityToken) }
}
