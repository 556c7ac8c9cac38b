import { scopeReaches } from '../domains/identity/identity.rules.ts'
import { createApp, endApp, trustProxiesOf } from '../http/create-app.ts'
import { mountDeskFiles } from '../http/desk-files.ts'
import { sendError } from '../http/error-handler.ts'
import type { Application } from '../http/listener.ts'
import { assertDeskOrigin, assertLocalRequest } from '../http/local-only.ts'
import { mount } from '../http/mount.ts'
import type { MountContext } from '../http/mount.ts'
import { assertOwnOrigin } from '../http/registry-origin.ts'
import type { ServerParts } from './parts.ts'
import { routeGroups, routesOf } from './route-table.ts'
import type { ListenerName, RouteGroup } from './route-table.ts'
import type { Services } from './services.ts'

/** Mounts the route table on both listeners. */
export function createApplications(
  parts: ServerParts,
  services: Services,
): Record<ListenerName, Application> {
  const { live, log } = parts
  const { config } = live
  const context: MountContext = {
    log,
    admit: (req) => assertOwnOrigin(req, { listenerUrl: parts.registry.url, publicUrl: config.publicUrl }),
    authenticate: (req) => services.authenticate(req.headers.authorization),
    scopeReaches,
    assertMayUpload: parts.health.assertMayUpload,
    checkReplies: parts.checkReplies,
    paceWindowMs: parts.paceWindowMs,
  }
  const contexts: Record<RouteGroup['credential'], MountContext> = {
    token: context,
    'desk session': {
      ...context,
      admit: assertDeskOrigin,
      authenticate: async (req) => services.sessions.authenticate(req.headers),
    },
  }

  const createMounted = (listener: ListenerName) => {
    const app = createApp()
    for (const [name, { listeners, routes, credential }] of routeGroups) {
      if (listeners.includes(listener)) mount(app, routes, services.handlers[name], contexts[credential])
    }
    return app
  }

  const registry = createMounted('registry')
  endApp(registry, routesOf('registry'), log)
  const trustProxies = (): void => trustProxiesOf(registry, config.trustProxy)
  trustProxies()
  live.onChange(trustProxies)

  const local = createMounted('local')
  mountDeskFiles(local, parts.deskFolder, parts.signingKey.kid.slice(0, 8), log)
  endApp(local, routesOf('local'), log)

  return {
    registry: { handle: registry, errorPage: services.errorPage },
    local: {
      handle(req, res) {
        try {
          assertLocalRequest(req)
        } catch (error) {
          sendError(req, res, error, log)
          return
        }
        local(req, res)
      },
      endStreams: services.endStreams,
    },
  }
}
