import type { ScheduledBackups } from '../backup/scheduled-backups.ts'
import type { Replication } from '../replication/replication.ts'
import type { AgentsDesk } from './agents.ts'
import type { Config, Environment } from '../settings/config.ts'
import type { CorruptValues } from '../operations/corrupt-values.ts'
import type { Database } from '../db/database.ts'
import { auditLog } from '../db/log/audit-log.ts'
import type { Deciding } from './decisions.ts'
import { createCannedReasons } from '../domains/releases/decisions/canned-reasons.service.ts'
import { createPersonAccess } from '../domains/identity/person-access.service.ts'
import { createDeskEvents } from '../domains/operations/desk-events.service.ts'
import { createAuditLog } from '../domains/log/audit-log.service.ts'
import { createDeskNews } from '../domains/operations/desk-news.service.ts'
import { createPeopleManagement } from '../domains/identity/manage-people.service.ts'
import type { Threads } from '../domains/releases/thread/thread.service.ts'
import type { ReviewStatements } from '../domains/releases/decisions/review-statement.service.ts'
import type { Mirror } from '../domains/releases/mirror/mirror.service.ts'
import { createReviewQueue } from '../domains/releases/queue/review-queue.service.ts'
import { createReleaseDetails } from '../domains/releases/queue/release-details.service.ts'
import { createServiceStatus } from '../domains/operations/service-status.service.ts'
import type { ServiceState } from '../domains/operations/service-status.service.ts'
import type { ExternalPeople } from '../domains/identity/external-issuers.service.ts'
import { createProviderSignIn } from '../domains/identity/provider-sign-in.service.ts'
import { createPasskeys } from '../domains/identity/passkeys.service.ts'
import { createSeals } from '../domains/identity/seals.rules.ts'
import { createSessions } from '../domains/identity/sessions.service.ts'
import { createSignInCodes } from '../domains/identity/sign-in-codes.service.ts'
import { createSignIn } from '../domains/identity/sign-in.service.ts'
import { remoteDeskOf } from '../settings/settings.ts'
import { builtInIssuer } from '../domains/identity/identity.rules.ts'
import type { PeopleService } from '../domains/identity/people.service.ts'
import type { Checkpoints } from '../domains/log/log-checkpoints.service.ts'
import type { Health } from '../domains/operations/health.service.ts'
import { createLogins } from '../domains/identity/logins.service.ts'
import { createFindingDismissals } from '../domains/releases/checks/dismiss-findings.service.ts'
import { createPublicProbe } from '../http/public-probe.ts'
import { isOwnHost } from '../http/registry-origin.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { LogLines } from '../operations/log-lines.ts'
import type { Logger } from '../operations/logging.ts'
import { createOperations } from './operations.ts'
import type { ServiceControl } from '../operations/service-control.ts'
import type { FileStore } from '../storage/file-store.ts'
import { programVersion } from '../operations/version.ts'
import { logTexts } from '../operations/log.texts.ts'

interface DeskParts {
  config: Readonly<Config>
  database: Database
  files: FileStore
  health: Pick<Health, 'read'>
  checkpoints: Pick<Checkpoints, 'readProblem'>
  backups: Pick<ScheduledBackups, 'read' | 'backUpNow'>
  replication: Pick<Replication, 'read'> | null
  people: PeopleService
  external: ReadonlyMap<string, ExternalPeople>
  deciding: Pick<Deciding, 'held' | 'downloads' | 'selfApproval' | 'approvalsNeeded'>
  statements: ReviewStatements
  threads: Threads
  registry: ServiceState
  local: ServiceState
  publicUrl(): string
  live: LiveSettings
  environment: Environment
  control: Pick<ServiceControl, 'control'>
  logLines: LogLines
  corruptValues: CorruptValues
  log: Logger
  heartbeatMs?: number
  /** When the next scheduled post becomes public; null if none is scheduled. */
  findNextPublication(): Date | null
  /** Null unless this registry is a mirror. */
  readMirror: Mirror['read']
  /** The chosen agent project. */
  agentsDesk: Pick<AgentsDesk, 'readVersion' | 'alerts'>
  /** Fills the registry with the demo and returns its administrator's subject; null if no demo is offered. */
  fillDemo: (() => Promise<string>) | null
}

/** The services behind the desk's API, except those it shares with the registry. */
export function createDesk(parts: DeskParts) {
  const { config, database, files, people, deciding, registry, local } = parts
  const issuers = new Set([builtInIssuer, ...config.issuers.map(({ issuer }) => issuer)])
  const sessions = createSessions({
    database,
    knowsIssuer: (issuer) => issuers.has(issuer),
  })
  const about = { version: programVersion, dataFolder: config.dataFolder }
  const probe = createPublicProbe((address, { status, reason }) => {
    if (status === 200) parts.log.info({ service: 'registry', address }, logTexts.publicAddressAnswers)
    else
      parts.log.warn({ service: 'registry', address, answer: status ?? reason }, logTexts.publicAddressSilent)
  })
  const services = createServiceStatus({
    ...parts,
    ...about,
    readBackups: parts.backups.read,
    readReplication: () => parts.replication?.read() ?? null,
    lastError: parts.logLines.lastError,
    logProblem: parts.checkpoints.readProblem,
    settings: () => ({
      behindProxy: config.trustProxy.length > 0,
      workspace: config.workspace,
      undoMs: config.undoMs,
    }),
    publicAnswer: () => (config.publicUrl === null ? null : probe.read(config.publicUrl)),
  })
  const access = createPersonAccess(database, people)
  const atRemoteDesk = { seals: createSeals(), deskUrl: () => remoteDeskOf(config) }
  const passkeys = createPasskeys({ database, ...atRemoteDesk })
  const providerSignIn = createProviderSignIn({
    ...atRemoteDesk,
    issuers: config.issuers,
    external: parts.external,
    log: parts.log,
  })
  const deskAddress = (): string => remoteDeskOf(config) ?? local.url
  const codes = createSignInCodes(database, deskAddress)
  const events = createDeskEvents(database, {
    isRunning: (isRemote) => (isRemote ? registry : local).state === 'running',
    readServices: services.readServices,
    findNextPublication: parts.findNextPublication,
    readAgents: parts.agentsDesk.readVersion,
    ...(parts.heartbeatMs === undefined ? {} : { heartbeatMs: parts.heartbeatMs }),
  })
  const { operations, setup } = createOperations({
    ...parts,
    getServices: () => services.getServices({ openDesks: events.openDesks, deskPeople: [] }),
  })
  const releaseDetails = createReleaseDetails(database, files, {
    ...deciding,
    statements: parts.statements,
    threads: parts.threads,
  })
  return {
    sessions,
    services,
    /** Aborts a pending probe of the public address, which would delay the shutdown. */
    end: () => probe.end(),
    access,
    logins: createLogins({
      sessions,
      access,
      recordDenied: ({ id }, { client, address }) =>
        database.transact(() => auditLog(database.writer).recordDenied(id, { client, address })),
      config,
      deskAddress,
      isOwnHost: (host) => isOwnHost(host, { listenerUrl: registry.url, publicUrl: config.publicUrl }),
    }),
    passkeys,
    providerSignIn,
    signIn: createSignIn({
      database,
      sessions,
      people,
      passkeys,
      providers: providerSignIn,
      setup,
      readChanges: events.readChanges,
      ...about,
    }),
    news: createDeskNews(database, parts.agentsDesk.alerts.takeNotices),
    operations,
    events,
    queue: createReviewQueue(database, deciding.held, parts.threads),
    deskReleases: releaseDetails,
    people: createPeopleManagement({
      database,
      people,
      access,
      codes,
      issuers: config.issuers,
      listDecisionsBy: releaseDetails.listDecisionsBy,
    }),
    auditLog: createAuditLog(database),
    judgements: createFindingDismissals(database),
    reasons: createCannedReasons(database),
  }
}
