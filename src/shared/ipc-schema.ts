import { z } from 'zod'
import { maxBlogImageBytes } from './contracts/images.ts'
import { sessionKeySchema } from './contracts/desk-session.ts'
import { maxPackageBytes } from './contracts/releases.ts'
import type { ipcCalls, IpcGroup } from './ipc-calls.ts'
import { shellStateSchema } from './services-messages.ts'
import { texts } from './validation.texts.ts'

/** The page that may make a call: the desk, or the app's own shell page. */
export type IpcCaller = 'desk' | 'shell'

interface IpcCall {
  callers: readonly IpcCaller[]
  argument: z.ZodType
  result: z.ZodType
}

const nothing = z.undefined()

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const appInfoSchema = z.strictObject({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: z.string(),
  /** Whether this app has started the services itself; false if it shows the desk of another process. */
  ownsServices: z.boolean(),
  /** Stored by the app, because the window's own storage is in memory. */
  theme: z.enum(themes),
})
export type AppInfo = z.infer<typeof appInfoSchema>

/** Preferences for this app on this computer, unknown to the services. */
export const preferencesSchema = z.strictObject({
  startAtLogin: z.boolean(),
  /** Whether closing the window leaves the services running with an icon in the tray; otherwise the app asks. */
  keepInTray: z.boolean(),
  notifySubmissions: z.boolean(),
  notifyCrashes: z.boolean(),
  /** Budgets and the other alerts of the dashboard. */
  notifyBudgets: z.boolean(),
})
export type Preferences = z.infer<typeof preferencesSchema>

const bytesSchema = (max: number) =>
  z.instanceof(Uint8Array<ArrayBuffer>).refine((bytes) => bytes.length <= max, texts.tooLarge)

/** Letters, digits, dots and hyphens, as in NAME-VERSION.wasm. */
const moduleNameSchema = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,119}\.wasm$/)

const folderSchema = z.string().min(1).max(4096)

/** Images that can be chosen at once. */
export const maxChosenImages = 20

const chosenFileSchema = (maxBytes: number) =>
  z.strictObject({ name: z.string(), bytes: bytesSchema(maxBytes) })

/** All calls that a page can make to the main process. Limited to what needs the operating system. */
export const ipcSchema = {
  app: {
    info: { callers: ['desk', 'shell'], argument: nothing, result: appInfoSchema },
  },
  services: {
    state: { callers: ['desk', 'shell'], argument: nothing, result: shellStateSchema },
    start: { callers: ['desk', 'shell'], argument: nothing, result: nothing },
    /** Asks for confirmation during an upload. The window then shows the shell page. */
    stop: { callers: ['desk'], argument: nothing, result: nothing },
  },
  shell: {
    retry: { callers: ['shell'], argument: nothing, result: nothing },
    quit: { callers: ['shell'], argument: nothing, result: nothing },
    /** Writes another port to `settings.json` and listens there. Throws an error for the user if that fails. */
    usePort: {
      callers: ['shell'],
      argument: z.strictObject({
        service: z.enum(['registry', 'dashboard']),
        port: z.int().min(1).max(65_535),
      }),
      result: nothing,
    },
  },
  setup: {
    /** Restarts the services with the folder that the person has just chosen. Throws an error for the user. */
    useDataFolder: { callers: ['desk'], argument: folderSchema, result: nothing },
    /**
     * Lets the person choose a backup and restores it over an empty registry, one without any person. The window then
     * shows its desk. False if none was chosen. Throws an error for the user, in which case nothing has changed.
     */
    restoreBackup: { callers: ['desk'], argument: nothing, result: z.boolean() },
    /** The progress of the restore as text, or null. */
    restoreProgress: { callers: ['desk'], argument: nothing, result: z.string().nullable() },
    /** Opens the desk with a new sign-in link if the first one is no longer valid. */
    newLink: { callers: ['desk'], argument: nothing, result: nothing },
  },
  session: {
    /** The key of the desk session that the app stores for its window; null if not signed in. */
    get: { callers: ['desk'], argument: nothing, result: sessionKeySchema.nullable() },
    set: {
      callers: ['desk'],
      argument: z.strictObject({ key: sessionKeySchema.nullable() }),
      result: nothing,
    },
  },
  files: {
    /** Null if the dialog was canceled, here and below. */
    chooseFolder: {
      callers: ['desk'],
      argument: z.strictObject({ purpose: z.enum(['data', 'agents']) }),
      result: folderSchema.nullable(),
    },
    chooseImages: {
      callers: ['desk'],
      argument: nothing,
      result: z.array(chosenFileSchema(maxBlogImageBytes)).max(maxChosenImages).nullable(),
    },
    /** Throws if the bytes do not match the digest. The file never exists with other contents. */
    saveModule: {
      callers: ['desk'],
      argument: z.strictObject({
        name: moduleNameSchema,
        sha256: z.string().regex(/^[a-f0-9]{64}$/),
        bytes: bytesSchema(maxPackageBytes),
      }),
      result: z.strictObject({ saved: z.string() }).nullable(),
    },
  },
  preferences: {
    get: { callers: ['desk'], argument: nothing, result: preferencesSchema },
    /** Changes the given preferences and returns all of them. */
    set: { callers: ['desk'], argument: preferencesSchema.partial(), result: preferencesSchema },
  },
  window: {
    setTheme: { callers: ['desk'], argument: z.enum(themes), result: nothing },
  },
} as const satisfies {
  [Group in IpcGroup]: { [Call in (typeof ipcCalls)[Group][number]]: IpcCall }
}

type Schema = typeof ipcSchema
type Argument<Call> = Call extends { argument: z.ZodType<infer Value> }
  ? Value extends undefined
    ? []
    : [argument: Value]
  : never
type Result<Call> = Call extends { result: z.ZodType<infer Value> }
  ? // A call without a result may be any function that returns nothing.
    undefined extends Value
    ? void
    : Value
  : never

/** `window.skilldock`, which the preload script adds to the page. */
export type DesktopBridge = {
  readonly [Group in keyof Schema]: {
    readonly [Call in keyof Schema[Group]]: (
      ...argument: Argument<Schema[Group][Call]>
    ) => Promise<Result<Schema[Group][Call]>>
  }
}

/** The main process's handlers, one per call. */
export type IpcHandlers = {
  [Group in keyof Schema]: {
    [Call in keyof Schema[Group]]: (
      ...argument: Argument<Schema[Group][Call]>
    ) => Result<Schema[Group][Call]> | Promise<Result<Schema[Group][Call]>>
  }
}
