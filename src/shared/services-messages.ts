import { z } from 'zod'
import { serviceActions } from './contracts/desk-settings.ts'
import { listenerStateSchema } from './contracts/desk-services.ts'

// Messages between the app's main process and the services' utility process over the parent port.

/**
 * Helper processes read untrusted files (uploaded modules, uploaded images, the database of an agent project), and write
 * and test backups, which would block the server.
 */
const helperKinds = ['modules', 'images', 'agents', 'backups'] as const
export type HelperKind = (typeof helperKinds)[number]

/** Maximum JavaScript heap of a helper process, in MB. */
export const helperHeapMegabytes: Record<HelperKind, number> = {
  modules: 64,
  images: 64,
  agents: 512,
  backups: 128,
}

/**
 * The whole environment of a helper process: nothing of the server's. With one arena, glibc returns memory that several
 * threads of a decoder have used; by default each thread keeps its own.
 */
export const helperEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' }

const requestId = z.int().min(1)
const port = z.int().min(1).max(65_535)
const serviceName = z.enum(['registry', 'dashboard'])

/** News since the last message of this type, for the badge and notifications. */
export const newsSchema = z.strictObject({
  /** Number of pending releases. */
  pending: z.int(),
  /** Number of releases submitted since the last message; 0 in the first one. */
  submitted: z.int(),
  /** The oldest of the submitted releases, at most 10. */
  submissions: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      version: z.string(),
      /** The person's name, or the subject if the person has no name. */
      publisher: z.string(),
    }),
  ),
  /** The same for the showcase. */
  projects: z.strictObject({
    pending: z.int(),
    submitted: z.int(),
    submissions: z.array(z.strictObject({ id: z.int(), title: z.string(), author: z.string() })),
  }),
  alerts: z.array(
    z.strictObject({
      kind: z.enum(['budget', 'agent', 'audit']),
      text: z.string(),
      /** A path in the desk, such as `/desk/release/NAME/VERSION`. */
      href: z.string(),
    }),
  ),
})
export type News = z.infer<typeof newsSchema>

const takenPortSchema = z.strictObject({
  service: serviceName,
  port,
  /** A free port near it; null if none was found. */
  suggestion: port.nullable(),
})

/** From the main process to the services. */
export const toServicesSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    /** The ports of the previous run, for settings that let the system choose. */
    ports: z.strictObject({ registry: port.nullable(), dashboard: port.nullable() }),
  }),
  /** Retry the listeners that could not be started. */
  z.strictObject({ type: z.literal('retry') }),
  /** Start, stop or restart one service. Answered by `done`; the outcome is in the next `state`. */
  z.strictObject({
    type: z.literal('control'),
    id: requestId,
    service: serviceName,
    action: z.enum(serviceActions),
  }),
  /** Write another port to `settings.json` and listen there immediately. Answered by `done`. */
  z.strictObject({ type: z.literal('use-port'), id: requestId, service: serviceName, port }),
  /**
   * Record in `location.json` that the data is in this folder after the next start. Answered by `done`, to be followed by
   * `stop` and a start.
   */
  z.strictObject({ type: z.literal('use-data-folder'), id: requestId, path: z.string().min(1).max(4096) }),
  /**
   * Restore a backup over an empty registry, one without any person. Answered by `done`. If it succeeded, to be followed
   * by `stop` and a start.
   */
  z.strictObject({ type: z.literal('restore-backup'), id: requestId, file: z.string().min(1).max(4096) }),
  z.strictObject({ type: z.literal('sign-in-link'), id: requestId }),
  /** Answered by `done` after all earlier messages. */
  z.strictObject({ type: z.literal('catch-up'), id: requestId }),
  /** The requested helper process has been started. The message carries its port. */
  z.strictObject({ type: z.literal('helper'), id: requestId }),
  z.strictObject({ type: z.literal('helper-gone'), id: requestId }),
  z.strictObject({ type: z.literal('stop') }),
])
export type ToServices = z.infer<typeof toServicesSchema>

/** From the services to the main process. */
export const fromServicesSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), services: z.array(listenerStateSchema) }),
  /** The services cannot run at all. The sentence says why and what to do. To be answered with `stop`. */
  z.strictObject({ type: z.literal('failed'), sentence: z.string() }),
  z.strictObject({ type: z.literal('sign-in-link'), id: requestId, link: z.string() }),
  /** The request is done, or the error says why not and what to do. */
  z.strictObject({ type: z.literal('done'), id: requestId, error: z.string().nullable() }),
  /** The progress of a restore. */
  z.strictObject({ type: z.literal('restoring'), text: z.string() }),
  /** Sent when the services have started and whenever something has changed. */
  z.strictObject({ type: z.literal('news'), ...newsSchema.shape }),
  /** The services whose port is in use. Follows each `state`. */
  z.strictObject({ type: z.literal('taken-ports'), taken: z.array(takenPortSchema) }),
  /** The number of submissions and images being uploaded, sent when it changes. */
  z.strictObject({ type: z.literal('uploads'), count: z.int().min(0) }),
  /** Where the app checks for updates; null if it does not. */
  z.strictObject({ type: z.literal('update-address'), address: z.url().nullable() }),
  z.strictObject({ type: z.literal('start-helper'), id: requestId, kind: z.enum(helperKinds) }),
  z.strictObject({ type: z.literal('end-helper'), id: requestId }),
])
export type FromServices = z.infer<typeof fromServicesSchema>

/** The state of the services shown in the window. */
export const shellStateSchema = z.strictObject({
  /**
   * `stopped`: by the person, until started again. `attached`: the services belong to another process, so their state is
   * unknown.
   */
  phase: z.enum(['starting', 'running', 'restarting', 'failed', 'stopping', 'stopped', 'attached']),
  /** The reason and what to do, or null. */
  sentence: z.string().nullable(),
  /** Whole seconds until the next attempt; null if none is scheduled. */
  retryInSeconds: z.int().min(0).nullable(),
  services: z.array(listenerStateSchema),
  taken: z.array(takenPortSchema),
})
export type ShellState = z.infer<typeof shellStateSchema>
