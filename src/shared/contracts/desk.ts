import { z } from 'zod'
import { json, raw, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { labelSchema, personNameSchema, roles, subjectSchema } from './people.ts'
import {
  maxPackageBytes,
  minPackageBytes,
  registryReviewSchema,
  releaseStatuses,
  reviewActions,
  skillManifestSchema,
} from './releases.ts'

// The desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints"). Every call but
// the sign-in needs the desk session's cookie, and every write an Origin of the desk itself.

const instant = z.iso.datetime()
const idText = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, 'must be a whole number of at least 1')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } })
const idParams = z.object({ id: idText })

/** Rows of one page of the desk's lists. */
export const deskPageSize = 100

const deskOffset = z
  .string()
  .regex(/^\d{1,7}$/, 'must be a whole number')
  .transform(Number)
  .default(0)
  .meta({ override: { type: 'integer', minimum: 0, maximum: 9_999_999, default: 0 } })

export const deskPersonSchema = z
  .strictObject({
    id: z.int(),
    subject: z.string(),
    /** Null where the person has given none; shown as `Developer N`. */
    name: z.string().nullable(),
    role: z.enum(roles),
  })
  .meta({ id: 'DeskPerson' })
export type DeskPerson = z.infer<typeof deskPersonSchema>

/** What a page needs before anybody has signed in. */
export const deskStateSchema = z
  .strictObject({
    person: deskPersonSchema.nullable(),
    /** True where nobody administers this registry yet; the sign-in code then makes the first one. */
    needsAdministrator: z.boolean(),
    version: z.string(),
    dataFolder: z.string().nullable().describe('Shown on the first-run page; null for everybody else.'),
  })
  .meta({ id: 'DeskState' })
export type DeskState = z.infer<typeof deskStateSchema>

const codeSchema = z.string().min(20).max(200)

export const deskSessionRoutes = {
  getDeskState: route({
    method: 'GET',
    path: '/desk/api/state',
    tag: 'Desk',
    summary: 'Tell who is signed in at this desk and whether there is an administrator yet',
    access: 'public',
    reply: reply(deskStateSchema, 'The state'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  signIn: route({
    method: 'POST',
    path: '/desk/api/session',
    tag: 'Desk',
    summary: 'Exchange a sign-in code, once and within five minutes, for a desk session',
    access: 'public',
    body: json(z.strictObject({ code: codeSchema })),
    reply: reply(z.strictObject({ person: deskPersonSchema }), 'Signed in; the session is in the cookie'),
    errors: ['CODE_INVALID', 'TOO_MANY_REQUESTS', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  createFirstAdministrator: route({
    method: 'POST',
    path: '/desk/api/first-run',
    tag: 'Desk',
    summary: 'Make the first administrator with the code of the first-run link, and sign in',
    access: 'public',
    body: json(z.strictObject({ code: codeSchema, subject: subjectSchema, name: personNameSchema })),
    reply: reply(z.strictObject({ person: deskPersonSchema }), 'Signed in; the session is in the cookie'),
    errors: [
      'CODE_INVALID',
      'TOO_MANY_REQUESTS',
      'ORIGIN_FORBIDDEN',
      'PERSON_EXISTS',
      'DATABASE_UNAVAILABLE',
    ],
  }),
  signOut: route({
    method: 'DELETE',
    path: '/desk/api/session',
    tag: 'Desk',
    summary: 'End this desk session',
    access: 'person',
    reply: reply(successSchema, 'Signed out'),
    errors: ['ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
}

/** What can change under an open desk; the event stream counts the changes of each. */
export const deskTopics = ['releases', 'people', 'services'] as const
export type DeskTopic = (typeof deskTopics)[number]

/** The data of a `change` event: the count of changes of each topic; a desk refetches what has moved on. */
export const deskChangeSchema = z
  .strictObject({ releases: z.int(), people: z.int(), services: z.int() })
  .meta({ id: 'DeskChange' })
export type DeskChange = z.infer<typeof deskChangeSchema>

export const listenerStateSchema = z.strictObject({
  name: z.enum(['registry', 'dashboard']),
  url: z.string(),
  state: z.enum(['starting', 'running', 'stopping', 'stopped', 'failed']),
  error: z.string().nullable(),
})

export const deskServicesSchema = z
  .strictObject({
    services: z.array(listenerStateSchema),
    /** Where others reach the registry. */
    publicUrl: z.string(),
    startedAt: instant,
    processId: z.int(),
    version: z.string(),
    nodeVersion: z.string(),
    memoryBytes: z.int(),
    dataFolder: z.string(),
    database: z.enum(['ok', 'unavailable']),
    storage: z.enum(['ok', 'unavailable']),
    openDesks: z.int(),
  })
  .meta({ id: 'DeskServices' })
export type DeskServices = z.infer<typeof deskServicesSchema>

export const deskServiceRoutes = {
  streamDeskEvents: route({
    method: 'GET',
    path: '/desk/api/events',
    tag: 'Desk',
    summary: 'Stream a `change` event at the start and after every change, and a `heartbeat` each 10 s',
    access: 'person',
    reply: raw('text/event-stream', 'Server-sent events whose data is a DeskChange'),
    errors: ['TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  getServices: route({
    method: 'GET',
    path: '/desk/api/services',
    tag: 'Desk',
    summary: 'Tell the state of both services',
    access: 'person',
    reply: reply(deskServicesSchema, 'The state'),
    errors: [],
  }),
}

/** One row of the queue. */
export const queueRowSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    version: z.string(),
    status: z.enum(releaseStatuses),
    ownerId: z.int(),
    publisher: z.string(),
    category: z.string(),
    size: z.int(),
    sha256: z.string(),
    createdAt: instant,
    /** Whether nothing of this name was approved before it was submitted. */
    first: z.boolean(),
    decidedAt: instant.nullable(),
    decidedBy: z.string().nullable(),
  })
  .meta({ id: 'QueueRow' })
export type QueueRow = z.infer<typeof queueRowSchema>

export const queueViews = ['pending', 'decided', 'all'] as const
export type QueueView = (typeof queueViews)[number]
export const queueSorts = ['waiting', 'newest', 'name'] as const
export type QueueSort = (typeof queueSorts)[number]

export const queueQuerySchema = z.object({
  view: z.enum(queueViews).default('pending'),
  status: z.enum(releaseStatuses).optional(),
  sort: z.enum(queueSorts).default('waiting'),
  q: z.string().max(100).optional().describe('Part of a name or publisher, or the start of a digest.'),
  offset: deskOffset,
})

export const statusCountsSchema = z
  .strictObject({ pending: z.int(), approved: z.int(), rejected: z.int(), revoked: z.int() })
  .meta({ id: 'StatusCounts' })
export type StatusCounts = z.infer<typeof statusCountsSchema>

export const decisionSchema = z.strictObject({
  id: z.int(),
  releaseId: z.int(),
  name: z.string(),
  version: z.string(),
  action: z.enum(reviewActions),
  reason: z.string(),
  decidedBy: z.string(),
  decidedAt: instant,
})
export type Decision = z.infer<typeof decisionSchema>

/** What the checks at publish saw in the module (never what it does). */
export const moduleFactsSchema = z.strictObject({
  /** Functions of wasi_snapshot_preview1 that it imports. */
  imports: z.array(z.string()),
  exports: z.array(z.strictObject({ name: z.string(), kind: z.string() })),
  /** All of them, of which `exports` holds the first 200. */
  exportCount: z.int(),
  /** In pages of 64 KiB. */
  memory: z.strictObject({ minPages: z.number(), maxPages: z.number().nullable() }),
  functionCount: z.int(),
  hasStart: z.boolean(),
  sections: z.array(z.strictObject({ name: z.string(), size: z.int() })),
})
export type ModuleFacts = z.infer<typeof moduleFactsSchema>

export const deskReleaseSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    version: z.string(),
    status: z.enum(releaseStatuses),
    sha256: z.string(),
    size: z.int().min(minPackageBytes).max(maxPackageBytes),
    createdAt: instant,
    reviewReason: z.string().nullable(),
    manifest: skillManifestSchema,
    /** Null for a release that was submitted before facts were kept. */
    module: moduleFactsSchema.nullable(),
    /** Whether the stored bytes are there and are those of the digest. */
    package: z.enum(['intact', 'missing', 'changed', 'unavailable']),
    owner: z.strictObject({
      id: z.int(),
      subject: z.string(),
      issuer: z.string(),
      publisher: z.string(),
      createdAt: instant,
      releases: statusCountsSchema,
    }),
    /** Place in line from 1 while pending. */
    place: z.int().nullable(),
    /** Newest first, of this release. */
    history: z.array(decisionSchema),
    /** Other releases of the name, newest first. */
    siblings: z.array(
      z.strictObject({
        id: z.int(),
        version: z.string(),
        status: z.enum(releaseStatuses),
        createdAt: instant,
      }),
    ),
  })
  .meta({ id: 'DeskRelease' })
export type DeskRelease = z.infer<typeof deskReleaseSchema>

export const deskReviewRoutes = {
  listQueue: route({
    method: 'GET',
    path: '/desk/api/releases',
    tag: 'Desk',
    summary: 'List releases for review, 100 a page',
    access: 'administrator',
    query: queueQuerySchema,
    reply: reply(
      z.strictObject({ items: z.array(queueRowSchema), total: z.int(), counts: statusCountsSchema }),
      'A page, how many there are for the filter, and how many in each status',
    ),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  getDeskRelease: route({
    method: 'GET',
    path: '/desk/api/releases/{id}',
    tag: 'Desk',
    summary: 'Get everything that is known of a release',
    access: 'administrator',
    params: idParams,
    reply: reply(deskReleaseSchema, 'The release'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  inspectDeskPackage: route({
    method: 'GET',
    path: '/desk/api/releases/{id}/package',
    tag: 'Desk',
    summary: 'Download the package of a release for inspection',
    access: 'administrator',
    params: idParams,
    reply: raw('application/wasm', 'The WebAssembly module'),
    errors: [
      'NOT_FOUND',
      'TOO_MANY_REQUESTS',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
      'PACKAGE_CORRUPT',
    ],
  }),
  decideRelease: route({
    method: 'POST',
    path: '/desk/api/releases/{id}/decision',
    tag: 'Desk',
    summary: 'Approve, reject or revoke a release',
    access: 'administrator',
    params: idParams,
    body: json(registryReviewSchema),
    reply: reply(successSchema, 'The decision is made'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  listDecisions: route({
    method: 'GET',
    path: '/desk/api/decisions',
    tag: 'Desk',
    summary: 'List all decisions, newest first, 100 a page',
    access: 'administrator',
    query: z.object({ person: idText.optional(), offset: deskOffset }),
    reply: reply(z.strictObject({ items: z.array(decisionSchema), total: z.int() }), 'A page of decisions'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
}

/** A token or a desk session in a person's list. */
export const accessSchema = z
  .strictObject({
    kind: z.enum(['token', 'session']),
    /** The `jti` of a token, the number of a session. */
    id: z.string(),
    label: z.string(),
    scope: z.enum(['publish', 'admin']).nullable(),
    createdAt: instant,
    expiresAt: instant,
    endedAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    /** The session of the desk that asks. */
    current: z.boolean(),
  })
  .meta({ id: 'Access' })
export type AccessEntry = z.infer<typeof accessSchema>

export const personRowSchema = z
  .strictObject({
    id: z.int(),
    subject: z.string(),
    issuer: z.string(),
    name: z.string().nullable(),
    role: z.enum(roles),
    createdAt: instant,
    removedAt: instant.nullable(),
    lastSeenAt: instant.nullable(),
    releases: z.int(),
  })
  .meta({ id: 'PersonRow' })
export type PersonListRow = z.infer<typeof personRowSchema>

const newTokenSchema = z.strictObject({
  label: labelSchema,
  scope: z.enum(['publish', 'admin']).nullable(),
  /** Days, 1 to 3650. */
  days: z.int().min(1).max(3650),
})
const issuedTokenSchema = z.strictObject({
  token: z.string().describe('The JWT; it is shown this once and kept nowhere.'),
  access: accessSchema,
})

const personDetailSchema = z.strictObject({
  person: personRowSchema,
  /** Valid ones first, newest first. */
  access: z.array(accessSchema),
  decisions: z.array(decisionSchema),
})
export type PersonDetail = z.infer<typeof personDetailSchema>

const writeErrors = ['NOT_FOUND', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const

export const deskPeopleRoutes = {
  listPeople: route({
    method: 'GET',
    path: '/desk/api/people',
    tag: 'Desk',
    summary: 'List people, those with access first',
    access: 'administrator',
    reply: reply(z.strictObject({ items: z.array(personRowSchema) }), 'Everybody'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  getPerson: route({
    method: 'GET',
    path: '/desk/api/people/{id}',
    tag: 'Desk',
    summary: 'Get a person with tokens, sessions and recent decisions',
    access: 'administrator',
    params: idParams,
    reply: reply(personDetailSchema, 'The person'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  addPerson: route({
    method: 'POST',
    path: '/desk/api/people',
    tag: 'Desk',
    summary: 'Add a person of the built-in issuer',
    access: 'administrator',
    body: json(
      z.strictObject({ subject: subjectSchema, name: personNameSchema.optional(), role: z.enum(roles) }),
    ),
    reply: reply(personRowSchema, 'The person', 201),
    errors: ['PERSON_EXISTS', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  updatePerson: route({
    method: 'PATCH',
    path: '/desk/api/people/{id}',
    tag: 'Desk',
    summary: 'Change the name or role of a person',
    access: 'administrator',
    params: idParams,
    body: json(z.strictObject({ name: personNameSchema.optional(), role: z.enum(roles).optional() })),
    reply: reply(personRowSchema, 'The person'),
    errors: ['LAST_ADMINISTRATOR', ...writeErrors],
  }),
  removePerson: route({
    method: 'DELETE',
    path: '/desk/api/people/{id}',
    tag: 'Desk',
    summary: 'Remove a person: tokens and sessions end at once, releases stay',
    access: 'administrator',
    params: idParams,
    reply: reply(successSchema, 'Removed'),
    errors: ['LAST_ADMINISTRATOR', ...writeErrors],
  }),
  issuePersonToken: route({
    method: 'POST',
    path: '/desk/api/people/{id}/tokens',
    tag: 'Desk',
    summary: 'Make a token for a person',
    access: 'administrator',
    params: idParams,
    body: json(newTokenSchema),
    reply: reply(issuedTokenSchema, 'The token', 201),
    errors: writeErrors,
  }),
  endPersonAccess: route({
    method: 'DELETE',
    path: '/desk/api/people/{id}/access/{kind}/{access}',
    tag: 'Desk',
    summary: 'End a token or a desk session at once',
    access: 'administrator',
    params: z.object({ id: idText, kind: z.enum(['token', 'session']), access: z.string().max(64) }),
    reply: reply(successSchema, 'Ended'),
    errors: writeErrors,
  }),
  createSignInLink: route({
    method: 'POST',
    path: '/desk/api/people/{id}/sign-in-link',
    tag: 'Desk',
    summary: 'Make a link that signs a person in at a desk, once and within five minutes',
    access: 'administrator',
    params: idParams,
    reply: reply(z.strictObject({ url: z.string(), expiresAt: instant }), 'The link', 201),
    errors: writeErrors,
  }),
  listProviders: route({
    method: 'GET',
    path: '/desk/api/providers',
    tag: 'Desk',
    summary: 'List the external identity providers of the configuration',
    access: 'administrator',
    reply: reply(
      z.strictObject({
        items: z.array(z.strictObject({ name: z.string(), issuer: z.string(), administrators: z.string() })),
      }),
      'The providers',
    ),
    errors: [],
  }),
  testProvider: route({
    method: 'POST',
    path: '/desk/api/providers/{name}/test',
    tag: 'Desk',
    summary: 'Ask a provider for its configuration and keys and tell what is right and wrong',
    access: 'administrator',
    params: z.object({ name: z.string().min(1).max(200) }),
    reply: reply(
      z.strictObject({
        checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
        testedAt: instant,
      }),
      'What was found',
    ),
    errors: ['NOT_FOUND', 'ORIGIN_FORBIDDEN'],
  }),
}

export const ownReleaseSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    version: z.string(),
    status: z.enum(releaseStatuses),
    size: z.int(),
    sha256: z.string(),
    createdAt: instant,
    reviewReason: z.string().nullable(),
    place: z.int().nullable(),
  })
  .meta({ id: 'OwnRelease' })
export type OwnRelease = z.infer<typeof ownReleaseSchema>

/** What every signed-in person may do for themselves; all that a developer sees. */
export const deskOwnRoutes = {
  listOwn: route({
    method: 'GET',
    path: '/desk/api/own/releases',
    tag: 'Desk',
    summary: 'List the own releases with status, notes and place in line, newest first, 100 a page',
    access: 'person',
    query: z.object({ offset: deskOffset }),
    reply: reply(z.strictObject({ items: z.array(ownReleaseSchema), total: z.int() }), 'A page'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  listOwnAccess: route({
    method: 'GET',
    path: '/desk/api/own/access',
    tag: 'Desk',
    summary: 'List the own tokens and desk sessions',
    access: 'person',
    reply: reply(z.strictObject({ items: z.array(accessSchema) }), 'Tokens and sessions'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  issueOwnToken: route({
    method: 'POST',
    path: '/desk/api/own/tokens',
    tag: 'Desk',
    summary: 'Make a token for oneself',
    access: 'person',
    body: json(newTokenSchema),
    reply: reply(issuedTokenSchema, 'The token', 201),
    errors: ['ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  endOwnAccess: route({
    method: 'DELETE',
    path: '/desk/api/own/access/{kind}/{access}',
    tag: 'Desk',
    summary: 'End one of the own tokens or sessions at once',
    access: 'person',
    params: z.object({ kind: z.enum(['token', 'session']), access: z.string().max(64) }),
    reply: reply(successSchema, 'Ended'),
    errors: writeErrors,
  }),
}

export const deskRoutes = {
  ...deskSessionRoutes,
  ...deskServiceRoutes,
  ...deskReviewRoutes,
  ...deskPeopleRoutes,
  ...deskOwnRoutes,
}
