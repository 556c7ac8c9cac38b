import type { IncomingMessage } from 'node:http'
import type { AuditChannel } from '../../shared/contracts/desk-history.ts'
import { scopeReaches } from '../domains/identity/identity.rules.ts'
import { deskChannel } from '../domains/identity/sessions.rules.ts'
import { connectionAddress, createClientOf } from '../http/client-address.ts'
import { createApp } from '../http/create-app.ts'
import { deskFiles } from '../http/desk-files.ts'
import { sendError } from '../http/error-handler.ts'
import type { Application } from '../http/listener.ts'
import { assertDeskOrigin, assertLocalRequest } from '../http/local-only.ts'
import { mount } from '../http/mount.ts'
import type { MountContext } from '../http/mount.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { assertOwnOrigin } from '../http/registry-origin.ts'
import { createRouter } from '../http/router.ts'
import type { Endpoint } from '../http/router.ts'
import type { ServerParts } from './parts.ts'
import { routeGroups } from './route-table.ts'
import type { ListenerName, RouteGroup } from './route-table.ts'
import type { Services } from './services.ts'

/** Mounts the route table on both listeners. */
export function createApplications(
  parts: ServerParts,
  services: Services,
): Record<ListenerName, Application> {
  const { live, log } = parts
  const { config } = live
  const context: Omit<MountContext, 'clientOf'> = {
    log,
    admit: (req) => assertOwnOrigin(req, { listenerUrl: parts.registry.url, publicUrl: config.publicUrl }),
    authenticate: (req) => services.authenticate(req.headers.authorization),
    scopeReaches,
    assertMayUpload: parts.health.assertMayUpload,
    checkReplies: parts.checkReplies,
    paceWindowMs: parts.paceWindowMs,
  }
  const contexts: Record<RouteGroup['credential'], Omit<MountContext, 'clientOf'>> = {
    token: context,
    'desk session': {
      ...context,
      admit: assertDeskOrigin,
      authenticate: async (req) => services.sessions.authenticate(req.headers),
    },
  }

  const endpointsOf = (
    listener: ListenerName,
    clients: Pick<MountContext, 'clientOf' | 'rateLimits'>,
  ): Endpoint[] =>
    routeGroups.flatMap(([name, { listeners, routes, credential }]) => {
      const channelOf = (req: IncomingMessage): AuditChannel =>
        credential === 'token'
          ? name === 'pages'
            ? 'website'
            : 'api'
          : deskChannel(req.headers['user-agent'])
      const audit = { channelOf, countRefusedSignIn: services.countRefusedSignIn }
      return listeners.includes(listener)
        ? mount(routes, services.handlers[name], { ...contexts[credential], ...clients, audit })
        : []
    })

  const ofRegistry = { log, clientOf: createClientOf(() => config.trustProxy) }
  const limited = { ...ofRegistry, rateLimits: createRateLimits(parts.rateLimits) }
  const registry = createApp(createRouter(endpointsOf('registry', limited)), ofRegistry)

  const ofLocal = { log, clientOf: connectionAddress }
  const files = deskFiles(parts.deskFolder, parts.signingKey.kid.slice(0, 8), ofLocal)
  const local = createApp(createRouter([...endpointsOf('local', ofLocal), ...files]), ofLocal)

  return {
    registry: { handle: registry, errorPage: services.errorPage },
    local: {
      handle(req, res) {
        try {
          assertLocalRequest(req)
        } catch (error) {
          sendError(req, res, error, ofLocal)
          return
        }
        local(req, res)
      },
      endStreams: services.endStreams,
    },
  }
}
