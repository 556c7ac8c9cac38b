import { ipcMain } from 'electron'
import type { IpcMainInvokeEvent } from 'electron'
import type { z } from 'zod'
import { channelOf } from '../shared/ipc-calls.ts'
import { ipcSchema } from '../shared/ipc-schema.ts'
import type { IpcCaller, IpcHandlers } from '../shared/ipc-schema.ts'
import { texts } from './app.texts.ts'
import { originOf } from './security.ts'
import type { DeskOrigin } from './security.ts'
import { shellOrigin } from './shell-page.ts'

interface Call {
  callers: readonly IpcCaller[]
  argument: z.ZodType
  result: z.ZodType
}

/**
 * Handles the calls of the IPC schema. Each is accepted only from the main frame of its pages, and its argument is parsed
 * before the handler is called.
 */
export function answerIpc(handlers: IpcHandlers, deskOrigin: DeskOrigin): void {
  for (const [group, calls] of Object.entries(ipcSchema)) {
    for (const [name, call] of Object.entries(calls) as [string, Call][]) {
      const handlersOfGroup = handlers[group as keyof IpcHandlers] as Record<
        string,
        (argument: unknown) => unknown
      >
      ipcMain.handle(channelOf(group, name), async (event, ...args: unknown[]) => {
        const caller = callerOf(event, deskOrigin())
        if (caller === null || !call.callers.includes(caller)) {
          throw new Error(texts.errors.notAllowed)
        }
        const argument = call.argument.safeParse(args[0])
        if (args.length > 1 || !argument.success) {
          throw new Error(texts.errors.invalidArguments)
        }
        return call.result.parse(await handlersOfGroup[name]?.(argument.data))
      })
    }
  }
}

function callerOf(event: IpcMainInvokeEvent, deskOrigin: string | null): IpcCaller | null {
  const frame = event.senderFrame
  if (frame === null || frame.parent !== null) return null
  const origin = originOf(frame.url)
  if (origin === null) return null
  if (origin === shellOrigin) return 'shell'
  return origin === deskOrigin ? 'desk' : null
}
