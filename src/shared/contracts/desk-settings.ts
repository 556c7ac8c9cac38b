import { z } from 'zod'
import { json, raw, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { settingKeys } from '../settings.ts'
import { instantSchema } from './desk-common.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

export const settingValueSchema = z.union([z.string(), z.number(), z.array(z.string()), z.null()])
export type SettingValue = z.infer<typeof settingValueSchema>

/** One setting as it stands. */
export const deskSettingSchema = z
  .strictObject({
    key: z.enum(settingKeys),
    /** What the running services use. */
    value: settingValueSchema,
    default: settingValueSchema,
    /** Where the value comes from; one of the environment cannot be changed here. */
    source: z.enum(['default', 'file', 'environment']),
    /** The variable that wins over the file; null where there is none. */
    variable: z.string().nullable(),
    /**
     * What a change needs: nothing, a moment in which the listener is opened anew, or that the person starts
     * the services again.
     */
    takesEffect: z.enum(['at once', 'listener', 'restart']),
    /** A value of the file that waits for a start of the services; absent where none does. */
    waiting: settingValueSchema.optional(),
  })
  .meta({ id: 'DeskSetting' })
export type DeskSetting = z.infer<typeof deskSettingSchema>

export const deskSettingsSchema = z
  .strictObject({ file: z.string(), items: z.array(deskSettingSchema) })
  .meta({ id: 'DeskSettings' })
export type DeskSettings = z.infer<typeof deskSettingsSchema>

/** Null takes a value out of the file: the default counts again. */
export const settingChangesSchema = z.partialRecord(z.enum(settingKeys), settingValueSchema)
export type SettingChanges = z.infer<typeof settingChangesSchema>

const changesSchema = z.strictObject({ changes: settingChangesSchema })

/** What is wrong with changes: `path` begins with the key of the setting, such as `trustProxy.0`. */
export const settingIssuesSchema = z.strictObject({
  issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
})

const portText = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 1 to 65535')
  .transform(Number)
  .pipe(z.int().min(1).max(65_535))
  .meta({ override: { type: 'integer', minimum: 1, maximum: 65_535 } })

export const portStateSchema = z
  .strictObject({
    port: z.int(),
    /** `own`: one of these services listens there itself. */
    state: z.enum(['free', 'own', 'taken', 'forbidden']),
    /** The program that listens there, where the system tells. */
    holder: z.string().nullable(),
    /** A free port near it, where it is not free. */
    suggestion: z.int().nullable(),
  })
  .meta({ id: 'PortState' })
export type PortState = z.infer<typeof portStateSchema>

export const deskSettingsRoutes = {
  getSettings: route({
    method: 'GET',
    path: '/desk/api/settings',
    tag: 'Desk',
    summary: 'Get every setting, its value and where that comes from',
    access: 'administrator',
    reply: reply(deskSettingsSchema, 'The settings'),
    errors: ['STORAGE_UNAVAILABLE'],
  }),
  checkSettings: route({
    method: 'POST',
    path: '/desk/api/settings/check',
    tag: 'Desk',
    summary: 'Tell what is wrong with changes of settings, without making them',
    access: 'administrator',
    body: json(changesSchema),
    reply: reply(settingIssuesSchema, 'Each thing that is wrong; none means that they can be saved'),
    errors: ['STORAGE_UNAVAILABLE', 'ORIGIN_FORBIDDEN'],
  }),
  saveSettings: route({
    method: 'PUT',
    path: '/desk/api/settings',
    tag: 'Desk',
    summary: 'Write changes of settings to settings.json and make those that need no restart count',
    access: 'administrator',
    body: json(changesSchema),
    reply: reply(deskSettingsSchema, 'The settings as they are now'),
    errors: ['VALIDATION_FAILED', 'PORT_TAKEN', 'STORAGE_UNAVAILABLE', 'ORIGIN_FORBIDDEN'],
  }),
  checkPort: route({
    method: 'GET',
    path: '/desk/api/ports/{port}',
    tag: 'Desk',
    summary: 'Tell whether a port of this computer is free, and who has it',
    access: 'administrator',
    params: z.object({ port: portText }),
    reply: reply(portStateSchema, 'The state of the port'),
    errors: [],
  }),
}

/** What an administrator can do with a service. */
export const serviceActions = ['start', 'stop', 'restart'] as const
export type ServiceAction = (typeof serviceActions)[number]

/** A line of the log, the newest 10,000 of which are kept in memory. */
export const logLineSchema = z
  .strictObject({
    /** Counts from 1 since the services were started. */
    n: z.int(),
    at: instantSchema,
    level: z.enum(['debug', 'info', 'warn', 'error', 'fatal']),
    service: z.enum(['registry', 'dashboard', 'services']),
    text: z.string(),
    /** The number of the request that it belongs to. */
    request: z.string().nullable(),
  })
  .meta({ id: 'LogLine' })
export type LogLine = z.infer<typeof logLineSchema>
export const maxLogLines = 10_000

const lineNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .default(0)
  .meta({ override: { type: 'integer', minimum: 0, default: 0 } })

export const deskOperationRoutes = {
  controlService: route({
    method: 'POST',
    path: '/desk/api/services/{name}/{action}',
    tag: 'Desk',
    summary: 'Start, stop or restart the registry, or restart the desk and dashboard',
    access: 'administrator',
    params: z.object({ name: z.enum(['registry', 'dashboard']), action: z.enum(serviceActions) }),
    reply: reply(successSchema, 'Done; the dashboard is restarted after this answer'),
    errors: ['NOT_FOUND', 'PORT_TAKEN', 'VALIDATION_FAILED', 'ORIGIN_FORBIDDEN'],
  }),
  readLog: route({
    method: 'GET',
    path: '/desk/api/log',
    tag: 'Desk',
    summary: 'Read the log lines after one, at most 1,000, oldest first',
    access: 'administrator',
    query: z.object({ after: lineNumber }),
    reply: reply(
      z.strictObject({
        lines: z.array(logLineSchema),
        /** Number of the last line there is. */
        last: z.int(),
        /** Number of the first one that is still kept. */
        first: z.int(),
      }),
      'The lines',
    ),
    errors: [],
  }),
  downloadDiagnostics: route({
    method: 'GET',
    path: '/desk/api/diagnostics',
    tag: 'Desk',
    summary: 'Download logs, versions and settings without secrets as one archive',
    access: 'administrator',
    reply: raw('application/gzip', 'A tar archive, compressed'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
}
