import { z } from 'zod'
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

export const appInfoSchema = z.strictObject({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: z.string(),
  /** Whether this app has started the services itself; false where it only shows another process's desk. */
  ownsServices: z.boolean(),
})
export type AppInfo = z.infer<typeof appInfoSchema>

/** Every call that a page can make to the main process; what an operating system does and nothing else. */
export const ipcSchema = {
  app: {
    info: { callers: ['desk', 'shell'], argument: nothing, result: appInfoSchema },
  },
  services: {
    state: { callers: ['desk', 'shell'], argument: nothing, result: shellStateSchema },
  },
  shell: {
    retry: { callers: ['shell'], argument: nothing, result: nothing },
    quit: { callers: ['shell'], argument: nothing, result: nothing },
  },
} as const satisfies {
  [Group in IpcGroup]: { [Call in (typeof ipcCalls)[Group][number]]: IpcCall }
}

type Schema = typeof ipcSchema
type Result<Call> = Call extends { result: z.ZodType<infer Value> }
  ? // A call that answers nothing may be any function that returns nothing.
    undefined extends Value
    ? void
    : Value
  : never

/** What the preload puts into the page as `window.skilldock`. */
export type DesktopBridge = {
  readonly [Group in keyof Schema]: {
    readonly [Call in keyof Schema[Group]]: () => Promise<Result<Schema[Group][Call]>>
  }
}

/** What the main process answers with, one function a call. */
export type IpcHandlers = {
  [Group in keyof Schema]: {
    [Call in keyof Schema[Group]]: () => Result<Schema[Group][Call]> | Promise<Result<Schema[Group][Call]>>
  }
}
