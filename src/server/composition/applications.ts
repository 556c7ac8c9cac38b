import type { IncomingMessage } from 'node:http'
import type { AuditChannel } from '../../shared/contracts/desk-audit-log.ts'
import { DomainError } from '../../shared/errors.ts'
import type { Route } from '../../shared/route.ts'
import { scopeReaches } from '../domains/identity/identity.rules.ts'
import { deskChannel } from '../domains/identity/sessions.rules.ts'
import { connectionAddress, createClientOf } from '../http/client-address.ts'
import { createApp } from '../http/create-app.ts'
import { deskFiles } from '../http/desk-files.ts'
import { assertDeskOrigin } from '../http/desk-requests.ts'
import { sendError } from '../http/error-handler.ts'
import type { Application } from '../http/listener.ts'
import { texts } from '../http/http.texts.ts'
import { assertLocalDeskOrigin, assertLocalRequest } from '../http/local-only.ts'
import { mount } from '../http/mount.ts'
import type { MountContext } from '../http/mount.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { assertOwnOrigin } from '../http/registry-origin.ts'
import { admitToRemoteDesk, isForDesk } from '../http/remote-desk.ts'
import { sendRedirect } from '../http/replies.ts'
import { createRouter } from '../http/router.ts'
import type { Endpoint } from '../http/router.ts'
import type { ServerParts } from './server-parts.ts'
import { administration, ofMachine, routeGroups } from './route-table.ts'
import type { ListenerName, MountPoint } from './route-table.ts'
import type { Services } from './services.ts'
import { remoteDeskOf } from '../settings/settings.ts'

/** Mounts the route table on both listeners, and the remote desk. */
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
    remote: false,
    crossOrigin: false,
    scopeReaches,
    assertMayUpload: parts.health.assertMayUpload,
    checkReplies: parts.checkReplies,
    paceWindowMs: parts.paceWindowMs,
  }
  const deskContext = (remote: boolean, admit: (req: IncomingMessage) => void): typeof context => ({
    ...context,
    admit,
    remote,
    authenticate: async ({ headers }) => services.sessions.authenticate({ remote, headers }),
  })
  const localDesk = deskContext(false, assertLocalDeskOrigin)
  const remoteDesk = deskContext(true, (req) => assertDeskOrigin(req, remoteDeskOf(config) ?? ''))

  const endpointsOf = (at: MountPoint, clients: Pick<MountContext, 'clientOf' | 'rateLimits'>): Endpoint[] =>
    routeGroups.flatMap(([name, { listeners, routes, credential }]) => {
      const all = credential === 'token' ? context : at === 'local' ? localDesk : remoteDesk
      const own = administration.has(name) ? all : { ...all, admit: withoutWrites(all.admit) }
      const channelOf = (req: IncomingMessage): AuditChannel =>
        credential === 'token'
          ? name === 'pages'
            ? 'website'
            : 'api'
          : at === 'remote desk'
            ? 'remote-desk'
            : deskChannel(req.headers['user-agent'])
      const audit = { channelOf, countRefusedSignIn: services.countRefusedSignIn }
      if (listeners.includes(at)) {
        const crossOrigin = at === 'registry'
        const replicated = ofMachine.has(name) ? {} : guards(crossOrigin)
        return mount(routes, services.handlers[name], {
          ...own,
          ...clients,
          ...replicated,
          audit,
          crossOrigin,
        })
      }
      return at === 'remote desk' && credential === 'desk session' ? refuseRemotely(routes, clients) : []
    })

  /** A machine that may have been replaced changes nothing, and shows the registry only to its own desk. */
  const guards = (guardsReads: boolean): Pick<MountContext, 'assertCurrent' | 'confirm'> => {
    const { replication } = parts
    if (replication === null) return {}
    return {
      assertCurrent: (isRead) => void ((guardsReads || !isRead) && replication.assertCurrent()),
      confirm: replication.confirm,
    }
  }

  /** Refuses requests that would change what a mirror has copied. */
  const withoutWrites =
    (admit: MountContext['admit']) =>
    (req: IncomingMessage): void => {
      admit?.(req)
      if (req.method !== 'GET' && req.method !== 'HEAD') services.mirror.assertWritable()
    }

  /** What the remote desk does not have (docs/decisions/024-remote-desk.md). */
  const refuseRemotely = (
    routes: Record<string, Route>,
    clients: Pick<MountContext, 'clientOf'>,
  ): Endpoint[] =>
    Object.values(routes).map(({ method, path }) => ({
      method,
      path,
      answer: (req, res) =>
        sendError(req, res, new DomainError('NOT_FOUND', texts.access.localDesk), { log, ...clients }),
    }))

  const files = { folder: parts.deskFolder, installation: parts.signingKey.kid.slice(0, 8) }
  const ofRegistry = { log, clientOf: createClientOf(() => config.trustProxy) }
  const limited = { ...ofRegistry, rateLimits: createRateLimits(parts.rateLimits) }
  const registry = createApp(createRouter(endpointsOf('registry', limited)), ofRegistry)
  const remoteFiles = deskFiles({ ...files, scheme: 'https' }, ofRegistry)
  const remote = createApp(createRouter([...endpointsOf('remote desk', limited), ...remoteFiles]), ofRegistry)

  const ofLocal = { log, clientOf: connectionAddress }
  const toDesk: Endpoint = {
    method: 'GET',
    path: '/',
    answer: (_req, res) => sendRedirect(res, 302, '/desk/'),
  }
  const localFiles = deskFiles({ ...files, scheme: 'http' }, ofLocal)
  const local = createApp(createRouter([...endpointsOf('local', ofLocal), toDesk, ...localFiles]), ofLocal)

  return {
    registry: {
      handle(req, res) {
        const desk = remoteDeskOf(config)
        if (desk === null || !isForDesk(req)) {
          registry(req, res)
          return
        }
        try {
          admitToRemoteDesk(req, res, desk)
        } catch (error) {
          sendError(req, res, error, ofRegistry)
          return
        }
        remote(req, res)
      },
      errorPage: services.errorPage,
      endStreams: () => services.endStreams(true),
    },
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
      endStreams: () => services.endStreams(false),
    },
  }
}
