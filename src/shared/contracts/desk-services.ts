import { z } from 'zod'
import { json, raw, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { instantSchema } from './desk-common.ts'
import { undoMsSchema } from './desk-decisions.ts'
import { readinessSchema } from './discovery.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** What can change under an open desk; the event stream counts the changes of each. */
export const deskTopics = ['releases', 'content', 'agents', 'people', 'services'] as const
export type DeskTopic = (typeof deskTopics)[number]

/** The data of a `change` event: the count of changes of each topic; a desk refetches what has moved on. */
export const deskChangeSchema = z
  .strictObject({ releases: z.int(), content: z.int(), agents: z.int(), people: z.int(), services: z.int() })
  .meta({ id: 'DeskChange' })
export type DeskChange = z.infer<typeof deskChangeSchema>

export const listenerStateSchema = z.strictObject({
  name: z.enum(['registry', 'dashboard']),
  url: z.string(),
  state: z.enum(['starting', 'running', 'stopping', 'stopped', 'failed']),
  error: z.string().nullable(),
})

/** Seconds for which a service's requests are counted one by one. */
export const countedSeconds = 120

/** One service with what it has done lately. */
export const deskServiceSchema = z
  .strictObject({
    ...listenerStateSchema.shape,
    port: z.int(),
    /** Whether it does not listen because another program has its port. */
    portTaken: z.boolean(),
    /** Since when it listens; null where it does not. */
    startedAt: instantSchema.nullable(),
    /** Requests answered in each of the last 120 whole seconds, oldest first. */
    requests: z.array(z.int()),
    requestsLastMinute: z.int(),
    /** Milliseconds of the median answer of the last minute; null where there was none. */
    medianMs: z.number().nullable(),
    lastError: z.strictObject({ at: instantSchema, text: z.string() }).nullable(),
  })
  .meta({ id: 'DeskService' })
export type DeskService = z.infer<typeof deskServiceSchema>

export const deskServicesSchema = z
  .strictObject({
    services: z.array(deskServiceSchema),
    /** Where others reach the registry. */
    publicUrl: z.string(),
    /** What that address answered when this computer asked it last; null where none is set, and until it has. */
    publicAnswer: z
      .strictObject({
        at: instantSchema,
        /** Null where nobody answered. */
        status: z.int().nullable(),
        /** The system's code where nobody answered. */
        reason: z.string().nullable(),
      })
      .nullable(),
    /** Whether a proxy stands in front of the registry. */
    behindProxy: z.boolean(),
    /** The agent project whose data the dashboard shows; null where none is chosen. */
    workspace: z.string().nullable(),
    undoMs: undoMsSchema.describe('The undo window of the next approval or rejection.'),
    startedAt: instantSchema,
    processId: z.int(),
    version: z.string(),
    nodeVersion: z.string(),
    memoryBytes: z.int(),
    dataFolder: z.string(),
    /** Of each health check `ok`, or a sentence that says what is wrong and what to do. */
    checks: readinessSchema.shape.checks,
    database: z.enum(['ok', 'unavailable']),
    storage: z.enum(['ok', 'unavailable']),
    /** Releases of every status; null while the database is away. */
    releases: z.int().nullable(),
    /** Bytes of their packages, each counted once; null while the database is away. */
    packageBytes: z.int().nullable(),
    /** Bytes that are free on the disk of the data folder; null where the system does not tell. */
    freeBytes: z.int().nullable(),
    openDesks: z.int(),
    /** Whose desks these are, each once; for administrators. */
    deskPeople: z.array(z.strictObject({ id: z.int(), name: z.string() })),
  })
  .meta({ id: 'DeskServices' })
export type DeskServices = z.infer<typeof deskServicesSchema>

export const deskServiceRoutes = {
  streamDeskEvents: route({
    method: 'GET',
    path: '/desk/api/events',
    tag: 'Desk',
    summary:
      'Stream a `change` event at the start and after every change, for administrators a `presence` event as well, ' +
      'and a `heartbeat` each 10 s',
    access: 'person',
    query: z.object({
      desk: z.uuid().optional().describe('The name of this desk, by which it then tells what it has open.'),
    }),
    reply: raw(
      'text/event-stream',
      'Server-sent events whose data is a DeskChange, DeskPresence or DeskWriting',
    ),
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
  showPresence: route({
    method: 'PUT',
    path: '/desk/api/presence',
    tag: 'Desk',
    summary: 'Tell the other desks which release this desk has open',
    access: 'administrator',
    body: json(
      z.strictObject({
        /** The name that this desk gave itself when it opened the event stream. */
        desk: z.uuid(),
        release: z.int().positive().nullable(),
      }),
    ),
    reply: reply(successSchema, 'Told'),
    errors: ['NOT_FOUND', 'ORIGIN_FORBIDDEN'],
  }),
  showWriting: route({
    method: 'PUT',
    path: '/desk/api/writing',
    tag: 'Desk',
    summary: 'Tell the other desks, the own ones too, which post is being written here',
    access: 'administrator',
    body: json(
      z.strictObject({
        /** The name that this desk gave itself when it opened the event stream. */
        desk: z.uuid(),
        post: z.int().positive().nullable(),
        /** Milliseconds since something was last written in it. */
        idleMs: z.int().min(0).max(604_800_000).default(0),
      }),
    ),
    reply: reply(successSchema, 'Told'),
    errors: ['NOT_FOUND', 'ORIGIN_FORBIDDEN'],
  }),
}
