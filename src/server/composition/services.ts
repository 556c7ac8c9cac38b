import type { News } from '../../shared/services-messages.ts'
import { agentHandlers } from '../domains/agents/agents.routes.ts'
import { dashboardHandlers } from '../domains/agents/dashboard.routes.ts'
import { createDashboard } from '../domains/agents/dashboard.service.ts'
import { approvalHandlers, decisionHandlers } from '../domains/releases/decisions/decisions.routes.ts'
import { auditLogHandlers } from '../domains/log/audit-log.routes.ts'
import { managePeopleHandlers } from '../domains/identity/manage-people.routes.ts'
import { passkeyHandlers } from '../domains/identity/passkeys.routes.ts'
import { providerSignInHandlers } from '../domains/identity/provider-sign-in.routes.ts'
import { reviewQueueHandlers } from '../domains/releases/queue/review-queue.routes.ts'
import { metricsHandlers } from '../domains/operations/metrics.routes.ts'
import { createMetrics } from '../domains/operations/metrics.service.ts'
import { serviceStatusHandlers } from '../domains/operations/service-status.routes.ts'
import { firstRunHandlers, sessionHandlers } from '../domains/identity/sessions.routes.ts'
import { operationHandlers, settingsHandlers } from '../domains/operations/settings.routes.ts'
import { discoveryHandlers } from '../domains/discovery/discovery.routes.ts'
import { healthHandlers } from '../domains/operations/health.routes.ts'
import { createExternalPeople } from '../domains/identity/external-issuers.service.ts'
import { createAuthenticator } from '../domains/identity/authenticate.service.ts'
import { ownTokenHandlers } from '../domains/identity/identity.routes.ts'
import { createOwnToken } from '../domains/identity/own-token.service.ts'
import { createRefusedSignIns } from '../domains/identity/refused-sign-ins.service.ts'
import { ownAccessHandlers } from '../domains/identity/person-access.routes.ts'
import { createPeopleService } from '../domains/identity/people.service.ts'
import { logHandlers } from '../domains/log/log.routes.ts'
import { createPublicLog } from '../domains/log/public-log.service.ts'
import { deskLoginHandlers, loginHandlers } from '../domains/identity/logins.routes.ts'
import { createCheckBacklog, inBackground } from '../domains/releases/checks/check-backlog.service.ts'
import { deskOwnHandlers, ownReleaseHandlers } from '../domains/releases/catalog/own-releases.routes.ts'
import { createOwnReleases } from '../domains/releases/catalog/own-releases.service.ts'
import { createTakeSubmission, releaseHandlers } from '../domains/releases/releases.routes.ts'
import { createReviewService } from '../domains/releases/decisions/review-release.service.ts'
import { deskOwnerHandlers, ownNameHandlers } from '../domains/releases/owners/owners.routes.ts'
import { createDeprecations } from '../domains/releases/maintenance/deprecations.service.ts'
import { deprecationHandlers } from '../domains/releases/maintenance/release-states.routes.ts'
import {
  tokenExchangeHandlers,
  trustedPublisherHandlers,
} from '../domains/releases/publishers/trusted-publishers.routes.ts'
import { createTrustedPublishers } from '../domains/releases/publishers/trusted-publishers.service.ts'
import { createTokenSigner } from '../domains/identity/token-signer.service.ts'
import { createTrustedIssuers } from '../domains/identity/trusted-issuers.service.ts'
import { createOwners } from '../domains/releases/owners/owners.service.ts'
import { threadHandlers } from '../domains/releases/thread/thread.routes.ts'
import { createThreads } from '../domains/releases/thread/thread.service.ts'
import { createSubmissionService } from '../domains/releases/submit-release.service.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { createSlots } from '../http/slots.ts'
import { createProjectForm } from '../pages/project-form.ts'
import { createAgentsDesk } from './agents.ts'
import { createDescription } from './api-description.ts'
import { createWriting } from './content.ts'
import { createDeciding } from './decisions.ts'
import { createDesk } from './desk.ts'
import { createUploads } from './images.ts'
import { createNotifications } from './notifications.ts'
import type { ServerParts } from './server-parts.ts'
import { createAttestations } from '../domains/releases/attestations/attestations.service.ts'
import { attestationHandlers } from '../domains/releases/attestations/attestations.routes.ts'
import { createPublicReads } from './public-reads.ts'
import { createRetention } from './retention.ts'
import type { AllHandlers } from './route-table.ts'
import { createBucketSweeping } from './sweeping.ts'
import { createWalLimit } from './wal-limit.ts'

/** Concurrent event streams of open desks. */
const openDesks = 200

/** Creates every service of both listeners once, in order of dependency. */
export async function createServices(parts: ServerParts) {
  const { live, database, files, log, signingKey } = parts
  const { config } = live
  const backlog = createCheckBacklog({ ...parts, pace: inBackground })
  const reviews = createReviewService(database, {
    onStale: backlog.wake,
    policy: () => ({ selfApproval: config['review.selfApproval'], approvals: config['review.approvals'] }),
  })
  const deciding = createDeciding({ config, database, reviews, log })
  await deciding.held.recover()
  const external = new Map(
    config.issuers.map((issuer) => [
      issuer.issuer,
      createExternalPeople({ issuer, database, onRename: reviews.rewritePublisher, log }),
    ]),
  )
  const issuers = createTrustedIssuers({ external, log })
  const publishers = createTrustedPublishers({ ...parts, issuers, sign: createTokenSigner(signingKey) })
  const { findGrant } = publishers
  const authenticate = createAuthenticator({ database, signingKey, external, findGrant })
  const refusedSignIns = createRefusedSignIns(database)
  const people = createPeopleService(database, signingKey, reviews.rewritePublisher)

  const submissionSlots = createSlots(() => config.publishConcurrency, 'submissions in progress')
  const streamSlots = createSlots(() => openDesks, 'open desks')

  const threads = createThreads(database)
  const own = createOwnReleases(database, threads)
  const deprecations = createDeprecations(database)
  const owners = createOwners(database, backlog.wake)
  const takeSubmission = createTakeSubmission(
    createSubmissionService(database, files, parts.validator, config, undefined, backlog.wake),
    submissionSlots,
  )
  const reads = createPublicReads({
    ...parts,
    ...parts.attestationKeys,
    config,
    downloads: deciding.downloads,
    processes: 1,
  })
  const { packages, downloadSlots, content, pages } = reads
  const writing = createWriting({ ...parts, images: content.images })
  const uploads = createUploads({ ...parts, ...reads, config })
  const notifications = createNotifications(parts)
  const agentsDesk = createAgentsDesk({ ...parts, onAlerts: notifications.onAlerts })
  const desk = createDesk({
    ...parts,
    agentsDesk,
    config,
    deciding,
    threads,
    statements: reads.statements,
    readMirror: reads.mirror.read,
    findNextPublication: content.posts.findNextPublication,
    people,
    external,
  })
  const metrics = createMetrics({
    ...parts,
    paths: dataPaths(config.dataFolder),
    measurePackages: desk.services.measurePackages,
    countAlerts: agentsDesk.alerts.countByKind,
    readBackups: parts.backups.read,
    readMirror: reads.mirror.read,
    deliveries: notifications.deliveries,
  })
  /** Removes unused anonymous images and records of ended tokens and sessions, and truncates the write-ahead log. */
  const housekeeping = [
    uploads.sweeping,
    createRetention(database, notifications.deliveries, log),
    // Litestream truncates the log itself.
    ...(parts.replication === null ? [createWalLimit(database, log)] : []),
    ...(config.storage === null ? [] : [createBucketSweeping(parts)]),
  ]

  const handlers: AllHandlers = {
    ...reads.handlers,
    releases: {
      ...reads.handlers.releases,
      ...releaseHandlers({ ...reads, reviews, takeSubmission }),
    },
    uploads: { ...reads.handlers.uploads, ...uploads.handlers },
    skilldock: { ...reads.handlers.skilldock, ...ownReleaseHandlers(own), ...approvalHandlers(deciding) },
    ownNames: ownNameHandlers(owners),
    trustedPublishers: trustedPublisherHandlers(publishers),
    tokenExchange: tokenExchangeHandlers(publishers),
    deprecations: deprecationHandlers(deprecations),
    thread: threadHandlers(threads),
    attestations: attestationHandlers(createAttestations({ ...parts, ...reads })),
    log: logHandlers(createPublicLog(database, parts.logKey)),
    logins: { ...loginHandlers(desk.logins), ...ownTokenHandlers(createOwnToken(database, people)) },
    pages: {
      ...pages.handlers,
      ...createProjectForm({
        ...pages,
        images: content.images,
        uploads,
        projectSubmissions: writing.projectSubmissions,
        publicUrl: parts.publicUrl,
      }),
    },
    health: healthHandlers(parts.health.read),
    discovery: discoveryHandlers(createDescription(parts)),
    dashboard: dashboardHandlers(createDashboard(parts.agents)),
    metrics: metricsHandlers(metrics),
    deskSession: sessionHandlers(desk.sessions, desk.signIn),
    firstRun: firstRunHandlers(desk.signIn),
    deskPasskeys: passkeyHandlers(desk.passkeys, desk.sessions),
    deskProviderSignIn: providerSignInHandlers(desk.providerSignIn, desk.signIn),
    deskServices: serviceStatusHandlers(desk.events, desk.services, desk.sessions.findPerson, streamSlots),
    deskReview: reviewQueueHandlers({ ...desk, packages, downloadSlots }),
    deskDecisions: decisionHandlers({ ...deciding, ...desk }),
    deskDeprecations: deprecationHandlers(deprecations),
    deskThread: threadHandlers(threads),
    deskAuditLog: auditLogHandlers(desk.auditLog),
    deskPeople: managePeopleHandlers(desk.people),
    deskOwn: deskOwnHandlers(own, takeSubmission),
    deskOwnAccess: ownAccessHandlers(desk.access),
    deskNames: ownNameHandlers(owners),
    deskTrustedPublishers: trustedPublisherHandlers(publishers),
    deskOwners: deskOwnerHandlers(owners),
    deskSettings: settingsHandlers(desk.operations),
    deskOperations: operationHandlers(desk.operations),
    deskLogins: deskLoginHandlers(desk.logins),
    deskImages: uploads.deskHandlers,
    deskAgents: agentHandlers(agentsDesk),
    ...notifications.deskHandlers,
    ...writing.deskHandlers,
  }

  return {
    handlers,
    mirror: reads.mirror,
    authenticate,
    sessions: desk.sessions,
    errorPage: pages.errorPage,
    countDownload: deciding.downloads.count,
    countRefusedSignIn: refusedSignIns.count,
    /** Ends the event streams of the local or remote desks, which would keep their listener from stopping. */
    endStreams: desk.events.endAll,
    /** Reports news to the app until the returned function is called. */
    watchNews(onNews: (news: News) => void): () => void {
      const report = (): void => {
        const news = desk.news.next()
        if (news !== null) onNews(news)
      }
      report()
      return desk.events.watch(report)
    },
    /** Starts background work. */
    start(): void {
      parts.health.start()
      parts.backups.start()
      backlog.start()
      for (const task of housekeeping) task.start()
      agentsDesk.start()
      metrics.start()
      notifications.deliveries.start()
    },
    /** Stops watching the agent project. */
    endAgents: agentsDesk.end,
    /** Carries out held decisions and writes download counts, which are only in memory. Can be called again. */
    async settle(): Promise<void> {
      desk.end()
      await deciding.settle()
      await refusedSignIns.save()
    },
    /** Ends background work, after the listeners have stopped. */
    async end(): Promise<void> {
      metrics.end()
      await notifications.deliveries.end()
      await parts.health.end()
      await parts.backups.end()
      await backlog.end()
      await Promise.all(housekeeping.map((task) => task.end()))
    },
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
