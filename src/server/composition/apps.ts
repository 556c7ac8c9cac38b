import { deskImageRoutes } from '../../shared/contracts/desk-images.ts'
import { dashboardRoutes } from '../../shared/contracts/dashboard.ts'
import { deskAgentRoutes } from '../../shared/contracts/desk-agents.ts'
import { deskRoutes } from '../../shared/contracts/desk.ts'
import { clientRoutes } from '../../shared/contracts/client.ts'
import { discoveryRoutes, keyRoutes } from '../../shared/contracts/discovery.ts'
import { documentRoutes } from '../../shared/contracts/documents.ts'
import { deskLoginRoutes, loginRoutes } from '../../shared/contracts/logins.ts'
import { pageRoutes } from '../../shared/contracts/pages.ts'
import { releaseRoutes } from '../../shared/contracts/releases.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import { uploadRoutes } from '../../shared/contracts/uploads.ts'
import type { Route } from '../../shared/route.ts'
import { createAgentsDesk } from './agents.ts'
import type { AppParts, Apps } from './app-parts.ts'
import { createContent, deskContentRoutes } from './content.ts'
import { createDeciding } from './decisions.ts'
import { createDescription } from './api-description.ts'
import { createDesk } from './desk.ts'
import { dashboardHandlers } from '../domains/dashboard/dashboard.routes.ts'
import { createDashboard } from '../domains/dashboard/dashboard.service.ts'
import { agentHandlers } from '../domains/agents/agents.routes.ts'
import { deskHandlers } from '../domains/desk/desk.routes.ts'
import { createClientFiles } from '../domains/discovery/client-files.service.ts'
import { clientHandlers } from '../domains/discovery/client.routes.ts'
import { discoveryHandlers } from '../domains/discovery/discovery.routes.ts'
import { createAuthenticator } from '../domains/identity/authenticate.service.ts'
import { keyHandlers, ownTokenHandlers } from '../domains/identity/identity.routes.ts'
import { scopeReaches } from '../domains/identity/identity.rules.ts'
import { createIdentityRepository } from '../domains/identity/identity.repository.ts'
import { createOwnToken } from '../domains/identity/own-token.service.ts'
import { createPeopleService } from '../domains/identity/people.service.ts'
import { deskLoginHandlers, loginHandlers } from '../domains/logins/logins.routes.ts'
import { createCatalogService } from '../domains/releases/catalog.service.ts'
import { createCheckBacklog } from '../domains/releases/check-backlog.service.ts'
import { ownReleaseHandlers } from '../domains/releases/own-releases.routes.ts'
import { createOwnReleases } from '../domains/releases/own-releases.service.ts'
import { createPackagesService } from '../domains/releases/packages.service.ts'
import { createPublicCatalog } from '../domains/releases/public-catalog.service.ts'
import { createTakeSubmission, releaseHandlers } from '../domains/releases/releases.routes.ts'
import { createReviewService } from '../domains/releases/review-release.service.ts'
import { reviewStatementHandlers } from '../domains/releases/review-statement.routes.ts'
import { createSubmissionService } from '../domains/releases/submit-release.service.ts'
import { createApp, endApp, trustProxiesOf } from '../http/create-app.ts'
import { mountDeskFiles } from '../http/desk-files.ts'
import { sendError } from '../http/error-handler.ts'
import { assertDeskOrigin, assertLocalRequest } from '../http/local-only.ts'
import { mount } from '../http/mount.ts'
import type { MountContext } from '../http/mount.ts'
import { assertOwnOrigin } from '../http/registry-origin.ts'
import { createSlots } from '../http/slots.ts'
import { createPages } from '../pages/pages.routes.ts'
import { createRetention } from './retention.ts'
import { createUploads } from './images.ts'

const registryRoutes = {
  ...releaseRoutes,
  ...documentRoutes,
  ...discoveryRoutes,
  ...keyRoutes,
  ...skilldockRoutes,
  ...clientRoutes,
  ...loginRoutes,
  ...uploadRoutes,
  ...pageRoutes,
}
const wholeDeskRoutes = {
  ...deskRoutes,
  ...deskLoginRoutes,
  ...deskContentRoutes,
  ...deskImageRoutes,
  ...deskAgentRoutes,
}
const loopbackRoutes = { ...discoveryRoutes, ...dashboardRoutes, ...wholeDeskRoutes }

/** Event streams of desks that are open at once. */
const openDesks = 200

/** Searches in progress that take more than one step. */
const longSearches = 16

/** The whole API on one page: every domain wired and mounted on its listener. */
export async function createApps(parts: AppParts): Promise<Apps> {
  const { live, database, files, log } = parts
  const { config } = live
  const owners = createIdentityRepository(database.writer)
  const backlog = createCheckBacklog(parts)
  const reviews = createReviewService(
    database,
    { findName: (id) => owners.findPersonById(id)?.name ?? null },
    undefined,
    backlog.wake,
    () => config['review.selfApproval'],
  )
  const deciding = createDeciding({ config, database, reviews, log })
  await deciding.held.recover()
  const authenticate = await createAuthenticator({
    database,
    log,
    signingKey: parts.signingKey,
    issuers: config.issuers,
    onRename: reviews.rewritePublisher,
  })
  const context: MountContext = {
    log,
    admit: (req) => assertOwnOrigin(req, { listenerUrl: parts.registry().url, publicUrl: config.publicUrl }),
    authenticate: (req) => authenticate(req.headers.authorization),
    scopeReaches,
    assertMayUpload: parts.health.assertMayUpload,
    checkReplies: parts.checkReplies,
    paceWindowMs: parts.paceWindowMs,
  }
  const discovery = discoveryHandlers({
    readHealth: parts.health.read,
    openapi: createDescription({
      ...parts,
      routes: { registry: registryRoutes, dashboard: dashboardRoutes, desk: wholeDeskRoutes },
    }),
  })

  const packages = createPackagesService(database, files)
  const catalog = createCatalogService(
    database,
    createSlots(() => longSearches, 'long searches'),
  )
  const content = createContent({ ...parts, catalog, statements: deciding.statements })
  const uploads = createUploads({ ...parts, config })
  const own = createOwnReleases(database)
  const downloadSlots = createSlots(() => config.downloadConcurrency, 'downloads')
  const streamSlots = createSlots(() => openDesks, 'open desks')
  const takeSubmission = createTakeSubmission(
    createSubmissionService(database, files, parts.validator, config, undefined, backlog.wake),
    createSlots(() => config.publishConcurrency, 'submissions'),
  )

  const people = createPeopleService(database, parts.signingKey, reviews.rewritePublisher)
  const agentsDesk = createAgentsDesk(parts)
  const desk = createDesk({
    ...parts,
    agentsDesk,
    config,
    deciding,
    findNextPublication: content.posts.findNextPublication,
    people,
  })

  const registry = createApp()
  const trustProxies = (): void => trustProxiesOf(registry, config.trustProxy)
  trustProxies()
  live.onChange(trustProxies)
  const releases = releaseHandlers({
    catalog,
    packages,
    reviews,
    takeSubmission,
    downloadSlots,
    downloads: deciding.downloads,
  })
  mount(registry, releaseRoutes, releases, context)
  mount(registry, documentRoutes, content.documents, context)
  mount(registry, uploadRoutes, uploads.handlers, context)
  mount(registry, discoveryRoutes, discovery, context)
  mount(registry, keyRoutes, keyHandlers(parts.signingKey), context)
  mount(
    registry,
    skilldockRoutes,
    { ...reviewStatementHandlers(deciding.statements), ...ownReleaseHandlers(own) },
    context,
  )
  mount(
    registry,
    loginRoutes,
    { ...loginHandlers(desk.logins), ...ownTokenHandlers(createOwnToken(database, people)) },
    context,
  )
  mount(registry, clientRoutes, clientHandlers(createClientFiles(parts)), context)
  const pages = createPages({
    ...content,
    catalog: createPublicCatalog(database, catalog),
    statements: deciding.statements,
    uploads,
    markdown: parts.markdown,
    publicUrl: parts.publicUrl,
    deskFolder: parts.deskFolder,
  })
  mount(registry, pageRoutes, pages.handlers, context)
  endApp(registry, routesOf(registryRoutes), log)

  const loopback = createApp()
  const deskContext: MountContext = {
    ...context,
    admit: assertDeskOrigin,
    authenticate: async (req) => desk.sessions.authenticate(req.headers),
  }
  mount(loopback, discoveryRoutes, discovery, context)
  mount(loopback, dashboardRoutes, dashboardHandlers(createDashboard(parts.agents)), context)
  mount(
    loopback,
    deskRoutes,
    deskHandlers({ ...desk, ...deciding, own, takeSubmission, packages, downloadSlots, streamSlots }),
    deskContext,
  )
  mount(loopback, deskLoginRoutes, deskLoginHandlers(desk.logins), deskContext)
  mount(loopback, deskContentRoutes, content.deskHandlers, deskContext)
  mount(loopback, deskImageRoutes, uploads.deskHandlers, deskContext)
  mount(loopback, deskAgentRoutes, agentHandlers(agentsDesk), deskContext)
  mountDeskFiles(loopback, parts.deskFolder, parts.signingKey.kid.slice(0, 8), log)
  endApp(loopback, routesOf(loopbackRoutes), log)

  return {
    registry,
    errorPage: pages.errorPage,
    loopback(req, res) {
      try {
        assertLocalRequest(req)
      } catch (error) {
        sendError(req, res, error, log)
        return
      }
      loopback(req, res)
    },
    endStreams: desk.events.endAll,
    watchNews(onNews) {
      const tell = (): void => {
        const news = desk.news.next()
        if (news !== null) onNews(news)
      }
      tell()
      return desk.events.watch(tell)
    },
    async settle() {
      desk.end()
      await deciding.settle()
    },
    backlog,
    housekeeping: [uploads.sweeping, createRetention(database, log)],
    agentsDesk,
  }
}

function routesOf(routes: Record<string, Route>): Route[] {
  return Object.values(routes)
}
