import { z } from 'zod'
import { listenerStateSchema } from './contracts/desk-services.ts'

// What the app's main process and the utility process of the services say to each other over the parent port.

const requestId = z.int().min(1)
const port = z.int().min(1).max(65_535)

/** From the main process to the services. */
export const toServicesSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    /** The ports of the run before, for settings that leave the choice to the system. */
    ports: z.strictObject({ registry: port.nullable(), dashboard: port.nullable() }),
  }),
  /** Start the listeners that could not listen. */
  z.strictObject({ type: z.literal('retry') }),
  z.strictObject({ type: z.literal('sign-in-link'), id: requestId }),
  /** The process that checks modules is there; the message carries its port. */
  z.strictObject({ type: z.literal('validator'), id: requestId }),
  z.strictObject({ type: z.literal('validator-gone'), id: requestId }),
  z.strictObject({ type: z.literal('stop') }),
])
export type ToServices = z.infer<typeof toServicesSchema>

/** From the services to the main process. */
export const fromServicesSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), services: z.array(listenerStateSchema) }),
  /** They cannot run at all; the sentence says why and what to do. To be answered with `stop`. */
  z.strictObject({ type: z.literal('failed'), sentence: z.string() }),
  z.strictObject({ type: z.literal('sign-in-link'), id: requestId, link: z.string() }),
  /** Where new versions of the app are looked for; null: nowhere. */
  z.strictObject({ type: z.literal('update-address'), address: z.url().nullable() }),
  z.strictObject({ type: z.literal('start-validator'), id: requestId }),
  z.strictObject({ type: z.literal('end-validator'), id: requestId }),
])
export type FromServices = z.infer<typeof fromServicesSchema>

/** The state of the services as the window shows it. */
export const shellStateSchema = z.strictObject({
  /** `attached`: the services belong to another process, and this app knows nothing of their state. */
  phase: z.enum(['starting', 'running', 'restarting', 'failed', 'stopping', 'attached']),
  /** Why, and what to do; null where there is nothing to say. */
  sentence: z.string().nullable(),
  /** Whole seconds until the next attempt; null where none is planned. */
  retryInSeconds: z.int().min(0).nullable(),
  services: z.array(listenerStateSchema),
})
export type ShellState = z.infer<typeof shellStateSchema>
