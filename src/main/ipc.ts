import { ipcMain } from 'electron'
import type { IpcMainInvokeEvent } from 'electron'
import type { z } from 'zod'
import { channelOf } from '../shared/ipc-calls.ts'
import { ipcSchema } from '../shared/ipc-schema.ts'
import type { IpcCaller, IpcHandlers } from '../shared/ipc-schema.ts'
import { originOf } from './security.ts'
import type { DeskOrigin } from './security.ts'
import { shellOrigin } from './shell-page.ts'

interface Call {
  callers: readonly IpcCaller[]
  argument: z.ZodType
  result: z.ZodType
}

/**
 * Answers the calls of the IPC schema, each for the main frame of the pages that it names and for nobody
 * else; every argument is parsed before its handler sees it.
 */
export function answerIpc(handlers: IpcHandlers, deskOrigin: DeskOrigin): void {
  for (const [group, calls] of Object.entries(ipcSchema)) {
    for (const [name, call] of Object.entries(calls) as [string, Call][]) {
      const handlersOfGroup = handlers[group as keyof IpcHandlers] as Record<
        string,
        (argument: unknown) => unknown
      >
      ipcMain.handle(channelOf(group, name), async (event, ...words: unknown[]) => {
        const caller = callerOf(event, deskOrigin())
        if (caller === null || !call.callers.includes(caller)) {
          throw new Error('This page may not make this call.')
        }
        const argument = call.argument.safeParse(words[0])
        if (words.length > 1 || !argument.success) {
          throw new Error('The call carries something that it does not take.')
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
