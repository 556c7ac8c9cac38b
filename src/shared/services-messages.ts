import { z } from 'zod'
import { serviceActions } from './contracts/desk-settings.ts'
import { listenerStateSchema } from './contracts/desk-services.ts'

// What the app's main process and the utility process of the services say to each other over the parent port.

/** Untrusted files are read in processes of their own: uploaded modules, uploaded pictures, the database of an agent project. */
export const helperKinds = ['modules', 'pictures', 'agents'] as const
export type HelperKind = (typeof helperKinds)[number]

/** Megabytes of JavaScript objects that such a process may have. */
export const helperHeapMegabytes: Record<HelperKind, number> = { modules: 64, pictures: 64, agents: 512 }

const requestId = z.int().min(1)
const port = z.int().min(1).max(65_535)
const serviceName = z.enum(['registry', 'dashboard'])

/** What has come since the last message of its kind, for the badge and for notifications. */
export const newsSchema = z.strictObject({
  /** Releases that wait for a decision. */
  pending: z.int(),
  /** How many were submitted since the last message; none in the first one. */
  submitted: z.int(),
  /** The oldest of those, at most 10. */
  submissions: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      version: z.string(),
      /** Name of the person, or the subject where there is none. */
      publisher: z.string(),
    }),
  ),
  /** The same of the showcase. */
  projects: z.strictObject({
    pending: z.int(),
    submitted: z.int(),
    submissions: z.array(z.strictObject({ id: z.int(), title: z.string(), author: z.string() })),
  }),
  alerts: z.array(
    z.strictObject({
      kind: z.enum(['budget', 'agent', 'audit']),
      text: z.string(),
      /** A place of the desk, such as `/desk/release/NAME/VERSION`. */
      href: z.string(),
    }),
  ),
})
export type News = z.infer<typeof newsSchema>

const takenPortSchema = z.strictObject({
  service: serviceName,
  port,
  /** A free port near it; null where none was found. */
  suggestion: port.nullable(),
})

/** From the main process to the services. */
export const toServicesSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    /** The ports of the run before, for settings that leave the choice to the system. */
    ports: z.strictObject({ registry: port.nullable(), dashboard: port.nullable() }),
  }),
  /** Start the listeners that could not listen. */
  z.strictObject({ type: z.literal('retry') }),
  /** Start, stop or restart one service; `done` answers, and the state tells what has come of it. */
  z.strictObject({
    type: z.literal('control'),
    id: requestId,
    service: serviceName,
    action: z.enum(serviceActions),
  }),
  /** Write another port to `settings.json` and listen there at once; `done` answers. */
  z.strictObject({ type: z.literal('use-port'), id: requestId, service: serviceName, port }),
  /**
   * Note in `location.json` that the data is in this folder from the next start on; `done` answers. To be
   * followed by `stop` and a start.
   */
  z.strictObject({ type: z.literal('use-data-folder'), id: requestId, path: z.string().min(1).max(4096) }),
  /**
   * Put a backup in the place of a registry that nobody is known to; `done` answers. Where that went well, to be
   * followed by `stop` and a start.
   */
  z.strictObject({ type: z.literal('restore-backup'), id: requestId, file: z.string().min(1).max(4096) }),
  z.strictObject({ type: z.literal('sign-in-link'), id: requestId }),
  /** `done` answers, behind all that was said before. */
  z.strictObject({ type: z.literal('catch-up'), id: requestId }),
  /** The process that was asked for is there; the message carries its port. */
  z.strictObject({ type: z.literal('helper'), id: requestId }),
  z.strictObject({ type: z.literal('helper-gone'), id: requestId }),
  z.strictObject({ type: z.literal('stop') }),
])
export type ToServices = z.infer<typeof toServicesSchema>

/** From the services to the main process. */
export const fromServicesSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), services: z.array(listenerStateSchema) }),
  /** They cannot run at all; the sentence says why and what to do. To be answered with `stop`. */
  z.strictObject({ type: z.literal('failed'), sentence: z.string() }),
  z.strictObject({ type: z.literal('sign-in-link'), id: requestId, link: z.string() }),
  /** What was asked for is done; else the sentence says why not and what to do. */
  z.strictObject({ type: z.literal('done'), id: requestId, error: z.string().nullable() }),
  /** How far a restore is. */
  z.strictObject({ type: z.literal('restoring'), text: z.string() }),
  /** Once when the services have started, and then whenever something of it has changed. */
  z.strictObject({ type: z.literal('news'), ...newsSchema.shape }),
  /** The services that cannot listen because of their port; follows each `state`. */
  z.strictObject({ type: z.literal('taken-ports'), taken: z.array(takenPortSchema) }),
  /** How many submissions and pictures are on their way to the registry, whenever that has changed. */
  z.strictObject({ type: z.literal('uploads'), count: z.int().min(0) }),
  /** Where new versions of the app are looked for; null: nowhere. */
  z.strictObject({ type: z.literal('update-address'), address: z.url().nullable() }),
  z.strictObject({ type: z.literal('start-helper'), id: requestId, kind: z.enum(helperKinds) }),
  z.strictObject({ type: z.literal('end-helper'), id: requestId }),
])
export type FromServices = z.infer<typeof fromServicesSchema>

/** The state of the services as the window shows it. */
export const shellStateSchema = z.strictObject({
  /**
   * `stopped`: by the person, until they are started again. `attached`: the services belong to another process,
   * and this app knows nothing of their state.
   */
  phase: z.enum(['starting', 'running', 'restarting', 'failed', 'stopping', 'stopped', 'attached']),
  /** Why, and what to do; null where there is nothing to say. */
  sentence: z.string().nullable(),
  /** Whole seconds until the next attempt; null where none is planned. */
  retryInSeconds: z.int().min(0).nullable(),
  services: z.array(listenerStateSchema),
  taken: z.array(takenPortSchema),
})
export type ShellState = z.infer<typeof shellStateSchema>
