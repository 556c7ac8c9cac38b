import type { AgentsDesk } from './agents.ts'
import type { Config, Environment } from '../settings/config.ts'
import type { CorruptValues } from '../operations/corrupt-values.ts'
import type { Database } from '../db/database.ts'
import type { Deciding } from './decisions.ts'
import { createCannedReasons } from '../domains/desk/canned-reasons.service.ts'
import { createDeskAccess } from '../domains/desk/desk-access.service.ts'
import { createDeskEvents } from '../domains/desk/desk-events.service.ts'
import { createDeskHistory } from '../domains/desk/desk-history.service.ts'
import { createDeskNews } from '../domains/desk/desk-news.service.ts'
import { createDeskPeople } from '../domains/desk/desk-people.service.ts'
import { createDeskQueue } from '../domains/desk/desk-queue.service.ts'
import { createDeskReleases } from '../domains/desk/desk-release.service.ts'
import { createDeskServices } from '../domains/desk/desk-services.service.ts'
import type { ServiceState } from '../domains/desk/desk-services.service.ts'
import { createDeskSessions } from '../domains/desk/desk-session.service.ts'
import { createSignInCodes } from '../domains/desk/sign-in-codes.service.ts'
import { createSignIn } from '../domains/desk/sign-in.service.ts'
import { builtInIssuer } from '../domains/identity/identity.rules.ts'
import type { PeopleService } from '../domains/identity/people.service.ts'
import type { Health } from '../domains/operations/health.service.ts'
import { createLogins } from '../domains/logins/logins.service.ts'
import { createFindingJudgements } from '../domains/releases/judge-findings.service.ts'
import { createPublicProbe } from '../http/public-probe.ts'
import { isOwnHost } from '../http/registry-origin.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { LogLines } from '../operations/log-lines.ts'
import type { Logger } from '../operations/logging.ts'
import { createOperations } from './operations.ts'
import type { ServiceControl } from '../operations/service-control.ts'
import type { FileStore } from '../storage/file-store.ts'
import { programVersion } from '../operations/version.ts'

export interface DeskParts {
  config: Readonly<Config>
  database: Database
  files: FileStore
  health: Pick<Health, 'read'>
  people: PeopleService
  deciding: Pick<Deciding, 'held' | 'statements' | 'downloads' | 'selfApproval'>
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
  /** When a post becomes public by itself; null where none waits for its time. */
  findNextPublication(): Date | null
  /** The chosen agent project. */
  agentsDesk: Pick<AgentsDesk, 'readVersion' | 'alerts'>
  /** Fills the registry with the demo and gives its administrator's subject; null where there is no demo. */
  fillDemo: (() => Promise<string>) | null
}

/** Everything behind the desk's interface but what it shares with the registry. */
export function createDesk(parts: DeskParts) {
  const { config, database, files, people, deciding, registry, local } = parts
  const issuers = new Set([builtInIssuer, ...config.issuers.map(({ issuer }) => issuer)])
  const sessions = createDeskSessions({
    database,
    knowsIssuer: (issuer) => issuers.has(issuer),
  })
  const about = { version: programVersion, dataFolder: config.dataFolder }
  const probe = createPublicProbe((url, { status, reason }) => {
    // Without a name and a password that may stand in it.
    const address = new URL(url).origin
    if (status === 200) parts.log.info({ service: 'registry', address }, 'the public address answers')
    else
      parts.log.warn(
        { service: 'registry', address, answer: status ?? reason },
        'the public address does not answer',
      )
  })
  const services = createDeskServices({
    ...parts,
    ...about,
    lastError: parts.logLines.lastError,
    settings: () => ({
      behindProxy: config.trustProxy.length > 0,
      workspace: config.workspace,
      undoMs: config.undoMs,
    }),
    publicAnswer: () => (config.publicUrl === null ? null : probe.read(config.publicUrl)),
  })
  const access = createDeskAccess(database, people)
  const codes = createSignInCodes(database, () => local.url)
  const events = createDeskEvents(database, {
    isRunning: () => local.state === 'running',
    readServices: services.readServices,
    findNextPublication: parts.findNextPublication,
    readAgents: parts.agentsDesk.readVersion,
    ...(parts.heartbeatMs === undefined ? {} : { heartbeatMs: parts.heartbeatMs }),
  })
  const { operations, setup } = createOperations({
    ...parts,
    getServices: () => services.getServices({ openDesks: events.openDesks, deskPeople: [] }),
  })
  return {
    sessions,
    services,
    /** Lets go of what would keep the services from ending. */
    end: () => probe.end(),
    access,
    logins: createLogins({
      sessions,
      access,
      config,
      deskAddress: () => local.url,
      isOwnHost: (host) => isOwnHost(host, { listenerUrl: registry.url, publicUrl: config.publicUrl }),
    }),
    signIn: createSignIn({ database, sessions, people, setup, ...about }),
    news: createDeskNews(database, parts.agentsDesk.alerts.takeNotices),
    operations,
    events,
    queue: createDeskQueue(database, deciding.held),
    deskReleases: createDeskReleases(database, files, deciding),
    people: createDeskPeople({ database, people, access, codes, issuers: config.issuers }),
    history: createDeskHistory(database),
    judgements: createFindingJudgements(database),
    reasons: createCannedReasons(database),
  }
}
