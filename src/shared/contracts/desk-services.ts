import { z } from 'zod'
import { json, raw, reply, route } from '../route.ts'
import { backupIntervals } from '../backup-intervals.ts'
import { successSchema } from './common.ts'
import { instantSchema } from './desk-common.ts'
import { undoMsSchema } from './desk-decisions.ts'
import { readinessSchema } from './health.ts'
import { mirrorStateSchema } from './mirror.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

/** The topics for which the event stream counts changes, so that an open desk knows what to refetch. */
export const deskTopics = ['releases', 'content', 'agents', 'people', 'services', 'history'] as const
export type DeskTopic = (typeof deskTopics)[number]

/**
 * The data of a `change` event: the number of changes per topic. A desk refetches the topics whose number has grown.
 */
export const deskChangeSchema = z
  .strictObject({
    releases: z.int(),
    content: z.int(),
    agents: z.int(),
    people: z.int(),
    services: z.int(),
    /** Events of the audit log. */
    history: z.int(),
  })
  .meta({ id: 'DeskChange' })
export type DeskChange = z.infer<typeof deskChangeSchema>

export const listenerStateSchema = z.strictObject({
  name: z.enum(['registry', 'dashboard']),
  url: z.string(),
  state: z.enum(['starting', 'running', 'stopping', 'stopped', 'failed']),
  error: z.string().nullable(),
})

/** The number of seconds for which requests per second are recorded. */
export const countedSeconds = 120

/** One service with its recent activity. */
const deskServiceSchema = z
  .strictObject({
    ...listenerStateSchema.shape,
    port: z.int(),
    /** Whether the service isn't listening because another program uses its port. */
    portTaken: z.boolean(),
    /** When the service started listening; null if it isn't. */
    startedAt: instantSchema.nullable(),
    /** Requests per second over the last 120 whole seconds, oldest first. */
    requests: z.array(z.int()),
    requestsLastMinute: z.int(),
    /** Median response time of the last minute in milliseconds; null if there were no requests. */
    medianMs: z.number().nullable(),
    lastError: z.strictObject({ at: instantSchema, text: z.string() }).nullable(),
  })
  .meta({ id: 'DeskService' })
export type DeskService = z.infer<typeof deskServiceSchema>

/** The remote desk names no files or folders of the registry's computer. */
const remotely = 'Empty at the remote desk.'

/** The scheduled backups: each one is tested by restoring it. */
const deskBackupsSchema = z
  .strictObject({
    every: z.enum(backupIntervals),
    keep: z.int(),
    folder: z.string().describe(remotely),
    /** What is happening now. */
    phase: z.enum(['idle', 'writing', 'testing']),
    /** The latest backup that was tested successfully; null if none exists. */
    lastTested: z
      .strictObject({ at: instantSchema, file: z.string().describe(remotely), bytes: z.int() })
      .nullable(),
    /** A sentence that says what is wrong and what to do; null if nothing is wrong. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'DeskBackups' })
export type DeskBackups = z.infer<typeof deskBackupsSchema>

const deskServicesSchema = z
  .strictObject({
    services: z.array(deskServiceSchema),
    /** The address where others reach the registry. */
    publicUrl: z.string(),
    /**
     * The last response to this computer's own request to that address; null before the first, or without a public URL.
     */
    publicAnswer: z
      .strictObject({
        at: instantSchema,
        /** Null if there was no response. */
        status: z.int().nullable(),
        /** The operating system's error code if there was no response. */
        reason: z.string().nullable(),
      })
      .nullable(),
    /** Whether the registry is behind a proxy. */
    behindProxy: z.boolean(),
    /** The agent project that the dashboard shows; null if none is selected. */
    workspace: z.string().nullable(),
    undoMs: undoMsSchema.describe('The undo window for the next approval or rejection.'),
    startedAt: instantSchema,
    processId: z.int(),
    version: z.string(),
    nodeVersion: z.string(),
    memoryBytes: z.int(),
    dataFolder: z.string().describe(remotely),
    /** The result of each health check: `ok`, or a sentence that says what is wrong and how to fix it. */
    checks: readinessSchema.shape.checks,
    /** How the transparency log differs from its last signed checkpoint; null if it doesn't. */
    logProblem: z.string().nullable(),
    database: z.enum(['ok', 'unavailable']),
    storage: z.enum(['ok', 'unavailable']),
    /** The number of releases in any status; null while the database is unavailable. */
    releases: z.int().nullable(),
    /** Total bytes of their packages, identical ones counted once; null while the database is unavailable. */
    packageBytes: z.int().nullable(),
    /** Free bytes on the disk with the data folder; null if the operating system doesn't report it. */
    freeBytes: z.int().nullable(),
    /** Bytes of the database's write-ahead log; grows while another process keeps a read transaction open. */
    walBytes: z.int(),
    /** The share of the database's pages that are unused; null while the database is unavailable. */
    fragmentation: z.number().min(0).max(1).nullable(),
    backups: deskBackupsSchema,
    /** Null unless this registry is a mirror. */
    mirror: z
      .strictObject({
        ...mirrorStateSchema.shape,
        problem: z
          .string()
          .nullable()
          .describe('Why the last run failed, or what it could not copy; null if it could copy everything.'),
      })
      .nullable(),
    /** Null unless the database is replicated to the bucket. */
    replication: z
      .strictObject({
        epoch: z.int().describe('How often a machine has taken over, from 1.'),
        confirmedAt: instantSchema
          .nullable()
          .describe('Everything written until then is in the bucket; null before the first time.'),
        snapshotAt: instantSchema.nullable(),
        problem: z.string().nullable(),
      })
      .nullable(),
    openDesks: z.int(),
    /** The people who have a desk open, each listed once; empty except for administrators. */
    deskPeople: z.array(z.strictObject({ id: z.int(), name: z.string() })),
  })
  .meta({ id: 'DeskServices' })
export type DeskServices = z.infer<typeof deskServicesSchema>

export const deskServiceRoutes = {
  streamDeskEvents: route('GET /desk/api/events', 'person', {
    summary:
      'Stream a `change` event on connect and after every change, `presence` events for reviewers, ' +
      '`writing` events for editors, and a `heartbeat` every 10 s',
    query: z.object({
      desk: z.uuid().optional().describe('The id that this desk uses in its presence and writing requests.'),
    }),
    reply: raw(
      'text/event-stream',
      'Server-sent events whose data is a DeskChange, DeskPresence or DeskWriting',
    ),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  getServices: route('GET /desk/api/services', 'person', {
    summary: 'Get the state of both services',
    reply: reply(deskServicesSchema, 'The state'),
  }),
  showPresence: route('PUT /desk/api/presence', 'reviewer', {
    summary: 'Set which release this desk has open, for the other desks',
    body: json(
      z.strictObject({
        /** The id that this desk opened the event stream with. */
        desk: z.uuid(),
        release: z.int().positive().nullable(),
      }),
    ),
    reply: reply(successSchema, 'Updated'),
    errors: ['NOT_FOUND'],
  }),
  showWriting: route('PUT /desk/api/writing', 'editor', {
    summary: 'Set which post is being edited in this desk, for all other desks',
    body: json(
      z.strictObject({
        /** The id that this desk opened the event stream with. */
        desk: z.uuid(),
        post: z.int().positive().nullable(),
        /** Milliseconds since the last edit. */
        idleMs: z.int().min(0).max(604_800_000).default(0),
      }),
    ),
    reply: reply(successSchema, 'Updated'),
    errors: ['NOT_FOUND'],
  }),
}
