import { z } from 'zod'
import { json, raw, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { settingKeys } from '../settings.ts'
import { instantSchema } from './desk-common.ts'
import { texts } from '../validation.texts.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

const settingValueSchema = z.union([z.string(), z.number(), z.array(z.string()), z.null()])
export type SettingValue = z.infer<typeof settingValueSchema>

/** The current state of one setting. */
export const deskSettingSchema = z
  .strictObject({
    key: z.enum(settingKeys),
    /** What the running services use. */
    value: settingValueSchema,
    default: settingValueSchema,
    /** Where the value is set; one from the environment can't be changed in the desk. */
    source: z.enum(['default', 'file', 'environment']),
    /** The environment variable that overrides the file, or null. */
    variable: z.string().nullable(),
    /**
     * When a change takes effect: at once, after the registry has restarted its listener (done automatically), or
     * after a person restarts the services.
     */
    takesEffect: z.enum(['at once', 'listener', 'restart']),
    /** A saved value that takes effect after a restart. Absent if no restart is needed. */
    waiting: settingValueSchema.optional(),
  })
  .meta({ id: 'DeskSetting' })
export type DeskSetting = z.infer<typeof deskSettingSchema>

const deskSettingsSchema = z
  .strictObject({
    file: z
      .string()
      .nullable()
      .describe('Null at the remote desk, which only has the settings that it can change.'),
    items: z.array(deskSettingSchema),
  })
  .meta({ id: 'DeskSettings' })
export type DeskSettings = z.infer<typeof deskSettingsSchema>

/** Null removes a value from the file, so that the default applies again. */
export const settingChangesSchema = z.partialRecord(z.enum(settingKeys), settingValueSchema)
export type SettingChanges = z.infer<typeof settingChangesSchema>

const changesSchema = z.strictObject({ changes: settingChangesSchema })

/** Problems with changed settings: `path` begins with the key of the setting, such as `trustProxy.0`. */
export const settingIssuesSchema = z.strictObject({
  issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
})

const portText = z
  .string()
  .regex(/^\d{1,5}$/, texts.port)
  .transform(Number)
  .pipe(z.int().min(1).max(65_535))
  .meta({ override: { type: 'integer', minimum: 1, maximum: 65_535 } })

export const portStateSchema = z
  .strictObject({
    port: z.int(),
    /** `own`: one of these services is listening on it. */
    state: z.enum(['free', 'own', 'taken', 'forbidden']),
    /** The program that is listening on it, if the operating system reports it. */
    holder: z.string().nullable(),
    /** A free port nearby, if this one isn't free. */
    suggestion: z.int().nullable(),
  })
  .meta({ id: 'PortState' })
export type PortState = z.infer<typeof portStateSchema>

export const deskSettingsRoutes = {
  getSettings: route('GET /desk/api/settings', 'administrator', {
    summary: 'Get all settings with their values and where each is set',
    reply: reply(deskSettingsSchema, 'The settings'),
    errors: ['STORAGE_UNAVAILABLE'],
  }),
  checkSettings: route('POST /desk/api/settings/check', 'administrator', {
    summary: 'Validate changes to settings without saving them',
    body: json(changesSchema),
    reply: reply(
      settingIssuesSchema,
      'The problems found; an empty list means that the changes can be saved',
    ),
    errors: ['STORAGE_UNAVAILABLE'],
  }),
  saveSettings: route('PUT /desk/api/settings', 'administrator', {
    summary: 'Save changes to settings.json and apply those that need no restart',
    body: json(changesSchema),
    reply: reply(deskSettingsSchema, 'The updated settings'),
    errors: ['PORT_TAKEN', 'STORAGE_UNAVAILABLE'],
  }),
}

export const serviceActions = ['start', 'stop', 'restart'] as const
export type ServiceAction = (typeof serviceActions)[number]

/** A log line. The newest 10,000 are kept in memory. */
const logLineSchema = z
  .strictObject({
    /** Line number, from 1 since the services were started. */
    n: z.int(),
    at: instantSchema,
    level: z.enum(['debug', 'info', 'warn', 'error', 'fatal']),
    service: z.enum(['registry', 'dashboard', 'services']),
    text: z.string(),
    /** The id of the request that the line belongs to. */
    request: z.string().nullable(),
  })
  .meta({ id: 'LogLine' })
export type LogLine = z.infer<typeof logLineSchema>
export const maxLogLines = 10_000

const lineNumber = z
  .string()
  .regex(/^\d{1,15}$/, texts.wholeNumber)
  .transform(Number)
  .default(0)
  .meta({ override: { type: 'integer', minimum: 0, default: 0 } })

/** Only on the local listener: they concern the computer. */
export const deskOperationRoutes = {
  checkPort: route('GET /desk/api/ports/{port}', 'administrator', {
    summary: 'Check whether a port of this computer is available, and which program uses it',
    params: z.object({ port: portText }),
    reply: reply(portStateSchema, 'The state of the port'),
  }),
  backUpNow: route('POST /desk/api/backups', 'administrator', {
    summary:
      'Start a backup, which is then tested. Answers at once; `backups` of the services shows the progress',
    reply: reply(successSchema, 'Started, or already running'),
  }),
  controlService: route('POST /desk/api/services/{name}/{action}', 'administrator', {
    summary: 'Start, stop or restart the registry, or restart the local services',
    params: z.object({ name: z.enum(['registry', 'dashboard']), action: z.enum(serviceActions) }),
    reply: reply(successSchema, 'Done; a restart of the local services begins after this response'),
    errors: ['NOT_FOUND', 'PORT_TAKEN', 'VALIDATION_FAILED'],
  }),
  readLog: route('GET /desk/api/log', 'administrator', {
    summary: 'Get the log lines after a given line, at most 1,000, oldest first',
    query: z.object({ after: lineNumber }),
    reply: reply(
      z.strictObject({
        lines: z.array(logLineSchema),
        /** Number of the newest line. */
        last: z.int(),
        /** Number of the oldest line that is still in memory. */
        first: z.int(),
      }),
      'The lines',
    ),
  }),
  downloadDiagnostics: route('GET /desk/api/diagnostics', 'administrator', {
    summary: 'Download logs, versions and settings (without secrets) as an archive',
    reply: raw('application/gzip', 'A gzipped tar archive'),
  }),
}
