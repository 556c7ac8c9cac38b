import { z } from 'zod'
import { maxBlogImageBytes } from './contracts/images.ts'
import { sessionKeySchema } from './contracts/desk-session.ts'
import { maxPackageBytes } from './contracts/releases.ts'
import type { ipcCalls, IpcGroup } from './ipc-calls.ts'
import { shellStateSchema } from './services-messages.ts'

/** Which of the window's pages may make a call: the desk of the one origin, or the app's own shell page. */
export type IpcCaller = 'desk' | 'shell'

interface IpcCall {
  callers: readonly IpcCaller[]
  argument: z.ZodType
  result: z.ZodType
}

const nothing = z.undefined()

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const appInfoSchema = z.strictObject({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: z.string(),
  /** Whether this app has started the services itself; false where it only shows another process's desk. */
  ownsServices: z.boolean(),
  /** As it was chosen last; the window's own storage ends with the app. */
  theme: z.enum(themes),
})
export type AppInfo = z.infer<typeof appInfoSchema>

/** What a person sets for this app on this computer; the services know nothing of it. */
export const preferencesSchema = z.strictObject({
  startAtLogin: z.boolean(),
  /** Closing the window leaves the services and an icon in the tray; else it asks. */
  keepInTray: z.boolean(),
  notifySubmissions: z.boolean(),
  notifyCrashes: z.boolean(),
  /** Budgets and the other alerts of the dashboard. */
  notifyBudgets: z.boolean(),
})
export type Preferences = z.infer<typeof preferencesSchema>

const bytesSchema = (max: number) =>
  z.instanceof(Uint8Array<ArrayBuffer>).refine((bytes) => bytes.length <= max, 'is too large')

/** Letters, digits, dots and hyphens: what a release's own name and version can make. */
const moduleNameSchema = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,119}\.wasm$/)

const folderSchema = z.string().min(1).max(4096)

/** Pictures that are chosen at once. */
export const maxChosenImages = 20

const chosenFileSchema = (maxBytes: number) =>
  z.strictObject({ name: z.string(), bytes: bytesSchema(maxBytes) })

/** Every call that a page can make to the main process; what an operating system does and nothing else. */
export const ipcSchema = {
  app: {
    info: { callers: ['desk', 'shell'], argument: nothing, result: appInfoSchema },
  },
  services: {
    state: { callers: ['desk', 'shell'], argument: nothing, result: shellStateSchema },
    start: { callers: ['desk', 'shell'], argument: nothing, result: nothing },
    /** Asks first while something is being uploaded; the window then shows the shell page. */
    stop: { callers: ['desk'], argument: nothing, result: nothing },
  },
  shell: {
    retry: { callers: ['shell'], argument: nothing, result: nothing },
    quit: { callers: ['shell'], argument: nothing, result: nothing },
    /** Writes another port to `settings.json`, where the service then listens. Throws what is wrong with it. */
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
    /** Starts the services on the folder that the person has just chosen. Throws why it cannot be. */
    useDataFolder: { callers: ['desk'], argument: folderSchema, result: nothing },
    /**
     * Asks for a backup and puts it in the place of a registry that nobody is known to; the window then shows that
     * desk. False where none was chosen; throws why it cannot be, and then nothing has changed.
     */
    restoreBackup: { callers: ['desk'], argument: nothing, result: z.boolean() },
    /** How far that is, in words; null while there is nothing to say. */
    restoreProgress: { callers: ['desk'], argument: nothing, result: z.string().nullable() },
    /** Opens the desk with a new sign-in link, as a new window would, where the first one is good no longer. */
    newLink: { callers: ['desk'], argument: nothing, result: nothing },
  },
  session: {
    /** The key of the desk session that the app keeps for its window; null while nobody is signed in. */
    get: { callers: ['desk'], argument: nothing, result: sessionKeySchema.nullable() },
    set: {
      callers: ['desk'],
      argument: z.strictObject({ key: sessionKeySchema.nullable() }),
      result: nothing,
    },
  },
  files: {
    /** Null where the person has chosen none, here and below. */
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
    /** The file gets its name only with the bytes of the digest; throws where they are others. */
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
    /** Changes what is named; gives all of them as they are then. */
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
  ? // A call that answers nothing may be any function that returns nothing.
    undefined extends Value
    ? void
    : Value
  : never

/** What the preload puts into the page as `window.skilldock`. */
export type DesktopBridge = {
  readonly [Group in keyof Schema]: {
    readonly [Call in keyof Schema[Group]]: (
      ...argument: Argument<Schema[Group][Call]>
    ) => Promise<Result<Schema[Group][Call]>>
  }
}

/** What the main process answers with, one function a call. */
export type IpcHandlers = {
  [Group in keyof Schema]: {
    [Call in keyof Schema[Group]]: (
      ...argument: Argument<Schema[Group][Call]>
    ) => Result<Schema[Group][Call]> | Promise<Result<Schema[Group][Call]>>
  }
}
