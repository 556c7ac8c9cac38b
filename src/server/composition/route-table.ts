import { attestationRoutes } from '../../shared/contracts/attestations.ts'
import { clientRoutes } from '../../shared/contracts/client.ts'
import { dashboardRoutes } from '../../shared/contracts/dashboard.ts'
import { deskAgentRoutes } from '../../shared/contracts/desk-agents.ts'
import { deskDecisionRoutes } from '../../shared/contracts/desk-decisions.ts'
import { deskAuditLogRoutes } from '../../shared/contracts/desk-audit-log.ts'
import { deskImageRoutes } from '../../shared/contracts/desk-images.ts'
import { deskMarkdownRoutes } from '../../shared/contracts/desk-markdown.ts'
import { deskOwnAccessRoutes, deskOwnRoutes } from '../../shared/contracts/desk-own.ts'
import { deskPasskeyRoutes } from '../../shared/contracts/desk-passkeys.ts'
import { deskPeopleRoutes } from '../../shared/contracts/desk-people.ts'
import { deskPostRoutes } from '../../shared/contracts/desk-posts.ts'
import { deskProviderSignInRoutes } from '../../shared/contracts/desk-provider-sign-in.ts'
import { deskProjectRoutes } from '../../shared/contracts/desk-projects.ts'
import { deskReviewRoutes } from '../../shared/contracts/desk-review.ts'
import { deskServiceRoutes } from '../../shared/contracts/desk-services.ts'
import { deskSessionRoutes, firstRunRoutes } from '../../shared/contracts/desk-session.ts'
import { deskOperationRoutes, deskSettingsRoutes } from '../../shared/contracts/desk-settings.ts'
import { deskNotificationRoutes } from '../../shared/contracts/desk-notifications.ts'
import { deskWebhookRoutes } from '../../shared/contracts/desk-webhooks.ts'
import { discoveryRoutes, keyRoutes } from '../../shared/contracts/discovery.ts'
import { healthRoutes } from '../../shared/contracts/health.ts'
import { documentRoutes } from '../../shared/contracts/documents.ts'
import { logRoutes } from '../../shared/contracts/log.ts'
import { deskLoginRoutes, loginRoutes } from '../../shared/contracts/logins.ts'
import { mcpRoutes } from '../../shared/contracts/mcp.ts'
import { mirrorRoutes } from '../../shared/contracts/mirror.ts'
import { metricsRoutes } from '../../shared/contracts/metrics.ts'
import { deskNameRoutes, deskOwnerRoutes, ownNameRoutes, ownerRoutes } from '../../shared/contracts/owners.ts'
import { ociRoutes } from '../../shared/contracts/oci.ts'
import { pageRoutes } from '../../shared/contracts/pages.ts'
import {
  deprecationRoutes,
  deskDeprecationRoutes,
  releaseStateRoutes,
} from '../../shared/contracts/release-states.ts'
import { releaseRoutes } from '../../shared/contracts/releases.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import { deskThreadRoutes, threadRoutes } from '../../shared/contracts/thread.ts'
import {
  deskTrustedPublisherRoutes,
  tokenExchangeRoutes,
  trustedPublisherRoutes,
} from '../../shared/contracts/trusted-publishers.ts'
import { uploadRoutes } from '../../shared/contracts/uploads.ts'
import type { Route } from '../../shared/route.ts'
import type { Handlers } from '../http/mount.ts'

export type ListenerName = 'registry' | 'local'

/** Where endpoints are mounted. The registry listener serves the remote desk, if the setting is on (decision 024). */
export type MountPoint = ListenerName | 'remote desk'

export interface RouteGroup {
  listeners: readonly MountPoint[]
  /** What callers authenticate with: a registry token or a desk session. */
  credential: 'token' | 'desk session'
  /** Keyed by operationId. */
  routes: Record<string, Route>
}

const registry = <Routes extends Record<string, Route>>(routes: Routes) =>
  ({ listeners: ['registry'], credential: 'token', routes }) as const
const desk = <Routes extends Record<string, Route>>(routes: Routes) =>
  ({ listeners: ['local', 'remote desk'], credential: 'desk session', routes }) as const
const localDesk = <Routes extends Record<string, Route>>(routes: Routes) =>
  ({ listeners: ['local'], credential: 'desk session', routes }) as const
const remoteDesk = <Routes extends Record<string, Route>>(routes: Routes) =>
  ({ listeners: ['remote desk'], credential: 'desk session', routes }) as const

/** Every endpoint. Mounting, 404 and 405, `/openapi.json` and `npm run routes` are derived from this table. */
export const routeTable = {
  releases: registry(releaseRoutes),
  oci: registry(ociRoutes),
  documents: registry(documentRoutes),
  mcp: registry(mcpRoutes),
  uploads: registry(uploadRoutes),
  keys: registry(keyRoutes),
  skilldock: registry(skilldockRoutes),
  releaseStates: registry(releaseStateRoutes),
  deprecations: registry(deprecationRoutes),
  owners: registry(ownerRoutes),
  ownNames: registry(ownNameRoutes),
  trustedPublishers: registry(trustedPublisherRoutes),
  tokenExchange: registry(tokenExchangeRoutes),
  thread: registry(threadRoutes),
  attestations: registry(attestationRoutes),
  log: registry(logRoutes),
  mirror: registry(mirrorRoutes),
  logins: registry(loginRoutes),
  client: registry(clientRoutes),
  pages: registry(pageRoutes),

  health: { listeners: ['registry', 'local'], credential: 'token', routes: healthRoutes },
  discovery: { listeners: ['registry', 'local'], credential: 'token', routes: discoveryRoutes },
  dashboard: { listeners: ['local'], credential: 'token', routes: dashboardRoutes },
  metrics: { listeners: ['local'], credential: 'token', routes: metricsRoutes },

  deskSession: desk(deskSessionRoutes),
  firstRun: localDesk(firstRunRoutes),
  deskPasskeys: remoteDesk(deskPasskeyRoutes),
  deskProviderSignIn: remoteDesk(deskProviderSignInRoutes),
  deskServices: desk(deskServiceRoutes),
  deskReview: desk(deskReviewRoutes),
  deskDecisions: desk(deskDecisionRoutes),
  deskDeprecations: desk(deskDeprecationRoutes),
  deskThread: desk(deskThreadRoutes),
  deskAuditLog: desk(deskAuditLogRoutes),
  deskPeople: desk(deskPeopleRoutes),
  deskOwn: desk(deskOwnRoutes),
  deskOwnAccess: desk(deskOwnAccessRoutes),
  deskNames: desk(deskNameRoutes),
  deskOwners: desk(deskOwnerRoutes),
  deskTrustedPublishers: desk(deskTrustedPublisherRoutes),
  deskSettings: desk(deskSettingsRoutes),
  deskOperations: localDesk(deskOperationRoutes),
  deskLogins: desk(deskLoginRoutes),
  deskPosts: desk(deskPostRoutes),
  deskProjects: desk(deskProjectRoutes),
  deskMarkdown: desk(deskMarkdownRoutes),
  deskImages: desk(deskImageRoutes),
  deskAgents: localDesk(deskAgentRoutes),
  deskWebhooks: desk(deskWebhookRoutes),
  deskNotifications: desk(deskNotificationRoutes),
} as const satisfies Record<string, RouteGroup>

type RouteTable = typeof routeTable

/** The handlers of every group; a missing one is a type error. */
export type AllHandlers = { [Key in keyof RouteTable]: Handlers<RouteTable[Key]['routes']> }

/** Groups that a mirror answers in full, because they administer this server. All others can only be read there. */
export const administration: ReadonlySet<keyof RouteTable> = new Set([
  'logins',
  'deskSession',
  'firstRun',
  'deskPasskeys',
  'deskProviderSignIn',
  'deskServices',
  'deskPeople',
  'deskOwnAccess',
  'deskSettings',
  'deskOperations',
  'deskLogins',
  'deskMarkdown',
  'deskAgents',
  'deskWebhooks',
  'deskNotifications',
])

/** Groups that concern this machine alone: they answer even if another one may write the registry. */
export const ofMachine: ReadonlySet<keyof RouteTable> = new Set([
  'health',
  'discovery',
  'deskSession',
  'deskServices',
  'deskOperations',
])

export const routeGroups = Object.entries(routeTable) as [keyof RouteTable, RouteGroup][]

/** All routes of a listener, in the order in which they are mounted. */
export function routesOf(listener: MountPoint): Route[] {
  return routeGroups.flatMap(([, group]) =>
    group.listeners.includes(listener) ? Object.values(group.routes) : [],
  )
}
